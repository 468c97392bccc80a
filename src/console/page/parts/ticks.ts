const day = 86_400;

/** Seconds between two ticks: at least one, since their labels show seconds. */
export const steps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200],
  ...[1, 2, 7, 14, 28, 91, 365].map((days) => days * day),
];

/**
 * Ticks of an axis in UTC: the time of day, with the date where they are far apart, and the day alone where they are
 * very far.
 */
export function moments(ticks: readonly number[]): string[] {
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  return ticks.map((seconds) => {
    const iso = new Date(seconds * 1000).toISOString();
    if (span >= 300 * day) return iso.slice(0, 10);
    return span >= day ? iso.slice(5, 16).replace('T', ' ') : iso.slice(11, 19);
  });
}
