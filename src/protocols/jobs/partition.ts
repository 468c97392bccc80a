/** How the tables store a PartitionId: '' is "no partition", so that equality, and an index, treat it as any other. */
export const keptPartition = (PartitionId: string | null): string => PartitionId ?? '';
