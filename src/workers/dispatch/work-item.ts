/** What names an item. */
export interface ItemName {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
}

/** An item that a worker has claimed, with what it needs to process it. */
export interface WorkItem extends ItemName {
  /** Its lease; 0 if there are no leases. */
  readonly Lease: bigint;
  readonly InputFile: string;
  readonly OutputFile: string | null;
  readonly InputRoot: string | null;
  readonly OutputRoot: string | null;
  readonly Settings: string | null;
}

/** What earlier attempts have noted of the output of an item that may not replace anything. */
export interface OutputNotes {
  /**
   * The digest of the output that an earlier attempt was about to store; undefined if there was none, or the server
   * does not record them.
   */
  noted(): Promise<string | undefined>;
  note(digest: string): Promise<void>;
}

/** Does one item; rejects with a WorkError, or with the reason of the signal. */
export interface Work extends AsyncDisposable {
  /** What the log calls it: convert. */
  readonly name: string;
  /** Items that are worth holding at the same time. */
  readonly slots: number;
  do(item: WorkItem, signal: AbortSignal, notes: OutputNotes): Promise<void>;
  /** Called when there is nothing to do. */
  rest?(): Promise<void>;
}

/** Tells items apart. */
export const keyOf = ({ JobId, GroupId, ItemId }: ItemName): string => `${JobId}/${GroupId}/${ItemId}`;

/** Puts items and what is known of their groups together. */
export function withGroups<I extends ItemName, G extends Pick<ItemName, 'JobId' | 'GroupId'>>(
  items: readonly I[],
  groups: readonly G[],
): (I & Omit<G, 'JobId' | 'GroupId'>)[] {
  const known = new Map(groups.map((group) => [`${group.JobId}/${group.GroupId}`, group]));
  return items.flatMap((item) => {
    const group = known.get(`${item.JobId}/${item.GroupId}`);
    return group === undefined ? [] : [{ ...group, ...item }];
  });
}
