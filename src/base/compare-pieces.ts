import type { Steps } from './steps.ts';

/** How many characters are compared at once, and of text with many marks in a row, which a collator would sort. */
const pieces = { usual: 8192, marked: 64 };
/** How many characters may differ without making a difference before code units decide. */
const mostAlike = 65_536;
const manyMarks = /\p{M}{16}/u;
/** What stands before a difference may belong to it: marks to their letter, one half of a character to the other. */
const context = 64;

/**
 * Orders two long texts by what a transformation makes of them and by a collator, piece by piece: mostly the first one
 * that differs decides, and a collator's time for one call can grow with the square of what it gets. In steps, since
 * texts that differ in case alone are transformed to their end.
 */
export function* comparePieces(
  a: string,
  b: string,
  transform: (text: string) => string,
  collate: (a: string, b: string) => number,
): Steps<number> {
  const start = Math.max(0, (yield* commonLength(a, b)) - context);
  const left = new Source(a, start, transform);
  const right = new Source(b, start, transform);
  let alike = 0;
  let byUnits = 0;
  for (;;) {
    yield;
    const length = Math.min(left.fill(), right.fill());
    // At the end of one of them the rest of the other counts.
    const isLast = left.isSpent || right.isSpent;
    const one = left.take(isLast ? pieces.usual : length);
    const other = right.take(isLast ? pieces.usual : length);
    if (one === '' && other === '') return byUnits;
    if (one === other) continue;
    const order = alike > mostAlike ? 0 : collated(one, other, collate);
    if (order !== 0) return order;
    byUnits ||= one < other ? -1 : 1;
    alike += one.length;
    if (alike > mostAlike) return byUnits;
  }
}

/** A collator's order, in smaller pieces where there are many marks. */
function collated(a: string, b: string, collate: (a: string, b: string) => number): number {
  if (!manyMarks.test(a) && !manyMarks.test(b)) return collate(a, b);
  for (let at = 0; at < a.length || at < b.length; at += pieces.marked) {
    const order = collate(a.slice(at, at + pieces.marked), b.slice(at, at + pieces.marked));
    if (order !== 0) return order;
  }
  return 0;
}

/** A text of which a part at a time is transformed. */
class Source {
  readonly #text: string;
  readonly #transform: (text: string) => string;
  #at: number;
  #buffer = '';

  constructor(text: string, at: number, transform: (text: string) => string) {
    this.#text = text;
    this.#at = at;
    this.#transform = transform;
  }

  get isSpent(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Makes a whole piece ready, if there is as much; the number of characters that are. */
  fill(): number {
    while (this.#buffer.length < pieces.usual && !this.isSpent) {
      const end = this.#at + pieces.usual;
      this.#buffer += this.#transform(this.#text.slice(this.#at, end));
      this.#at = end;
    }
    return Math.min(this.#buffer.length, pieces.usual);
  }

  take(length: number): string {
    const taken = this.#buffer.slice(0, length);
    this.#buffer = this.#buffer.slice(length);
    return taken;
  }
}

/** How many characters two texts have in common at their beginning. */
function* commonLength(a: string, b: string): Steps<number> {
  let at = 0;
  while (at < a.length && a.slice(at, at + pieces.usual) === b.slice(at, at + pieces.usual)) {
    at += pieces.usual;
    yield;
  }
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
