/** Numbers that look random and follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number that follows from others. */
export const mixed = (...numbers: readonly number[]): number =>
  Math.floor(randomFrom(numbers.reduce((sum, each) => Math.imul(sum ^ each, 0x9e3779b1) + 1, 7))() * 2 ** 31);
