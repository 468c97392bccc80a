import { type Distributed, Distribution, type Labels, type Sample } from '../base/log/measures.ts';

const keyOf = (labels: Labels): string => Object.values(labels).join('\0');

/** Figures of the same labels added up: those of all databases that are not told apart become one. */
export function summed(samples: Iterable<Sample>): Sample[] {
  const sums = new Map<string, Sample>();
  for (const { labels, value } of samples) {
    const key = keyOf(labels);
    sums.set(key, { labels, value: (sums.get(key)?.value ?? 0) + value });
  }
  return [...sums.values()];
}

/** The same for histograms. */
export function merged(samples: Iterable<Distributed>): Distributed[] {
  const sums = new Map<string, Distributed>();
  for (const { labels, kept } of samples) {
    const key = keyOf(labels);
    const sum = sums.get(key) ?? { labels, kept: new Distribution(kept.bounds) };
    sum.kept.merge(kept);
    sums.set(key, sum);
  }
  return [...sums.values()];
}
