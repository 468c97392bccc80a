const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in words: 12.3 MB. */
export function sizeOf(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** step;
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** Milliseconds in words: 0.42 ms, 12 ms, 3.1 s. */
export function millisecondsOf(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(2)} ms`;
}

/** What an axis of values shows: from zero on, so that what is twice as much looks like it, with some room above. */
export const fromZero = (most: number): [least: number, most: number] => [0, most > 0 ? most * 1.1 : 1];
