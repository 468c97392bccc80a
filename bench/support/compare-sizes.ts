import { type Caller, timeOf } from './load.ts';
import type { Finding } from './scenario.ts';
import { median, time } from './statistics.ts';

/** A call that is made on a small database and on a large one. */
export interface Comparison {
  readonly what: string;
  readonly small: Caller;
  readonly large: Caller;
}

/** Calls that are not counted: they compile statements and fill caches. */
const warmUps = 20;

/**
 * What each call costs on a large database, measured in its cost on a small one: the two take turns call by call, so
 * that both see the same moments of the machine.
 */
export async function compareSizes(
  comparisons: readonly Comparison[],
  rounds: number,
  atMost: number,
): Promise<Finding[]> {
  const times = comparisons.map(() => ({ small: [] as number[], large: [] as number[] }));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, { small, large }] of comparisons.entries()) {
      const pair = [await timeOf(small), await timeOf(large)] as const;
      if (round < 0) continue;
      times[index]?.small.push(pair[0]);
      times[index]?.large.push(pair[1]);
    }
  }
  return comparisons.map(({ what }, index) => {
    const small = median(times[index]?.small ?? []);
    const large = median(times[index]?.large ?? []);
    return {
      what,
      figure: time(large),
      against: time(small),
      value: large / small,
      unit: 'times',
      demand: { atMost },
    };
  });
}
