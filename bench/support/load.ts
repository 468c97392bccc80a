/** One client that makes calls, one at a time. */
export type Caller = () => Promise<unknown>;

/** What a load achieved. */
export interface LoadResult {
  readonly callsPerSecond: number;
}

/** Lets all callers call as fast as they are answered, for so many milliseconds. */
export async function drive(callers: readonly Caller[], milliseconds: number): Promise<LoadResult> {
  let calls = 0;
  const start = performance.now();
  const end = start + milliseconds;
  await Promise.all(
    callers.map(async (call) => {
      while (performance.now() < end) {
        await call();
        calls++;
      }
    }),
  );
  return { callsPerSecond: (calls * 1000) / (performance.now() - start) };
}

/** How long each of so many calls took, one after the other, in milliseconds. */
export async function timeEach(call: Caller, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let made = 0; made < calls; made++) times.push(await timeOf(call));
  return times;
}

/** How long one call takes, in milliseconds. */
export async function timeOf(call: Caller): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** A whole number from 1 to `most`. */
export const pick = (most: number): number => 1 + Math.floor(Math.random() * most);
