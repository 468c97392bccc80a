import type { Steps } from '../threads/steps.ts';

/**
 * The number of characters compared at once, normally and in text with long sequences of marks, which a collator would
 * sort.
 */
const pieces = { usual: 8192, marked: 64 };
/** The number of characters that may differ without affecting the order before code units decide. */
const mostAlike = 65_536;
const manyMarks = /\p{M}{16}/u;
/** Characters before a difference that may belong to it: the letter of a mark, or the other half of a character. */
const context = 64;

/**
 * Orders two long texts by a transformation of them and a collator, piece by piece: usually the first piece that
 * differs decides, and the time of one call of a collator can grow with the square of its input. In steps, since texts
 * that differ only in case are transformed to their end.
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
    // At the end of one text, the rest of the other decides.
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

/** Compares with a collator, in smaller pieces where there are many marks. */
function collated(a: string, b: string, collate: (a: string, b: string) => number): number {
  if (!manyMarks.test(a) && !manyMarks.test(b)) return collate(a, b);
  for (let at = 0; at < a.length || at < b.length; at += pieces.marked) {
    const order = collate(a.slice(at, at + pieces.marked), b.slice(at, at + pieces.marked));
    if (order !== 0) return order;
  }
  return 0;
}

/** A text that is transformed part by part. */
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

  /** Prepares a whole piece if there is enough text; returns the number of characters prepared. */
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

/** The length of the common prefix of two texts. */
function* commonLength(a: string, b: string): Steps<number> {
  let at = 0;
  while (at < a.length && a.slice(at, at + pieces.usual) === b.slice(at, at + pieces.usual)) {
    at += pieces.usual;
    yield;
  }
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
