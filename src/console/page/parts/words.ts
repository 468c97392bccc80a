const grouped = new Intl.NumberFormat('en');

/** A whole number with its thousands apart. */
export const countOf = (value: number): string => grouped.format(value);

/** So many of something, whose name takes an s: 1 time, 2 times. */
export const counted = (value: number, name: string): string => `${countOf(value)} ${name}${value === 1 ? '' : 's'}`;

/** How long something is ago or took, in words: 3 min 20 s. */
export function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}
