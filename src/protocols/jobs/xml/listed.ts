/** Things to go through, as often as one likes, and how many they are: an array is one such. */
export interface Listed<T> extends Iterable<T> {
  readonly length: number;
}

/** Things that are made as one goes through them. */
export const listed = <T>(length: number, each: () => Iterator<T>): Listed<T> => ({ length, [Symbol.iterator]: each });
