/** An iterable of known length that can be iterated repeatedly, such as an array. */
export interface Listed<T> extends Iterable<T> {
  readonly length: number;
}

/** Values that are generated during iteration. */
export const listed = <T>(length: number, each: () => Iterator<T>): Listed<T> => ({ length, [Symbol.iterator]: each });
