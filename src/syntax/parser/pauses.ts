/** Thrown where the parser lets others get their turn: the statement is then read again, except for the kept parts. */
const pause = Symbol('pause');

/**
 * How many tokens are read before others may have their turn: a few milliseconds' work of a parser that has just
 * started.
 */
const stretch = 2000;
/** From this many tokens on, a complete part is kept too. */
const long = 100;

/** What was read of a construct of many parts, and where that ends; complete or not. */
interface Kept {
  readonly value: unknown;
  readonly end: number;
  readonly isWhole: boolean;
}

/**
 * Where the parser is interrupted inside of a statement. It calls itself as deep as the text nests and cannot stand
 * still in there: it gives up with a throw, and what it had read of lists and chains is kept by where they begin, so
 * that it comes back to its place in a few steps when it reads the statement again.
 */
export class Pauses {
  readonly #kept = new Map<string, Kept>();
  /** Its position when it began to read again. */
  #before = 0;
  #furthest = 0;

  /** A statement begins. */
  clear(at: number): void {
    this.#kept.clear();
    this.#before = at;
    this.#furthest = at;
  }

  /** Reads a statement, or a stretch of it: undefined if others should get their turn before the next call. */
  attempt<T>(read: () => T): { readonly value: T } | undefined {
    this.#before = this.#furthest;
    try {
      return { value: read() };
    } catch (error) {
      if (error !== pause) throw error;
      return undefined;
    }
  }

  /** Gives up for now where enough was read that had not been read before. */
  pauseAt(position: number): void {
    if (position - this.#before < stretch) return;
    this.#furthest = position;
    throw pause;
  }

  /** What is kept of a kind of things that begin there. */
  find(kind: string, start: number): Kept | undefined {
    return this.#kept.size === 0 ? undefined : this.#kept.get(`${kind} ${start}`);
  }

  /** Something was read to its end. */
  keepWhole(kind: string, start: number, end: number, value: unknown): void {
    if (end - start >= long) this.#kept.set(`${kind} ${start}`, { value, end, isWhole: true });
  }

  /** Something was left in between, if it was. */
  keepPart(error: unknown, kind: string, start: number, end: number, value: unknown): void {
    if (error === pause) this.#kept.set(`${kind} ${start}`, { value, end, isWhole: false });
  }
}
