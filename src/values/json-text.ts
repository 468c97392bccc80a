import { type SqlError, sqlError } from '../base/messages/sql-error.ts';
import { ownPart } from '../base/text/own-part.ts';
import type { Steps } from '../base/threads/steps.ts';
import { deepest } from './json-path.ts';

/** The kinds of values, by the codes that OPENJSON gives them. */
const kinds = ['null', 'text', 'number', 'truth', 'array', 'object'] as const;
type JsonKind = (typeof kinds)[number];

export const codeOf = (kind: JsonKind): number => kinds.indexOf(kind);
export const isContainer = ({ kind }: { readonly kind: JsonKind }): boolean => kind === 'array' || kind === 'object';

/** A value and its position. */
interface JsonSpan {
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
}

/** Tokens, and characters of a text, between two points where others may get their turn. */
const between = 1000;
const stretch = 65_536;

const blanks = /[ \t\r\n]*/y;
const plain = new RegExp(`[^"\\\\\\u0000-\\u001f]{0,${stretch}}`, 'y');
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** A number, or one of the three words, with what ends it. */
const scalar = new RegExp(
  `(?:(true|false)|(null)|-?(?:0|[1-9]\\d{0,${stretch}})(?:\\.\\d{1,${stretch}})?(?:[eE][+-]?\\d{1,${stretch}})?)(?=[ \\t\\r\\n,\\]}]|$)`,
  'y',
);

/** Reads JSON text from left to right; 13609 with the first token that is none, and 13606 for too deep a nesting. */
export class JsonText {
  readonly text: string;
  at: number;
  #tokens = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** The next character that is no blank; undefined at the end. */
  next(): string | undefined {
    blanks.lastIndex = this.at;
    blanks.test(this.text);
    this.at = blanks.lastIndex;
    return this.text[this.at];
  }

  /** 13609 for the text at a position, or for the end of the text. */
  malformed(at = this.at): SqlError {
    return sqlError(13609, this.text[at] ?? '.', at);
  }

  /** The beginning of a document: only objects and arrays are. */
  root(): void {
    const first = this.next();
    if (first !== '{' && first !== '[') throw this.malformed();
  }

  /** Enters an object or array; if it is empty, moves past it and returns false. */
  enter(): boolean {
    const closer = this.text[this.at] === '{' ? '}' : ']';
    this.at++;
    if (this.next() !== closer) return true;
    this.at++;
    return false;
  }

  /** After a value: true before the next one, false after the end of the object or array. */
  more(closer: '}' | ']'): boolean {
    const mark = this.next();
    if (mark !== ',' && mark !== closer) throw this.malformed();
    this.at++;
    if (mark === ',') this.next();
    return mark === ',';
  }

  /** The name of a member, up to its value. */
  *name(): Steps<string> {
    const start = this.at;
    yield* this.#quoted();
    const name = this.#decoded(start, this.at);
    if (this.next() !== ':') throw this.malformed();
    this.at++;
    this.next();
    return name;
  }

  /** The value that begins here, whole; `depth` is how deep it is nested already. */
  *value(depth = 0): Steps<JsonSpan> {
    const start = this.at;
    const closers: ('}' | ']')[] = [];
    let kind: JsonKind | undefined;
    for (;;) {
      if (++this.#tokens % between === 0) yield;
      const first = this.text[this.at];
      const isOpening = first === '{' || first === '[';
      if (isOpening && depth + closers.length >= deepest) throw sqlError(13606, deepest);
      kind ??= isOpening ? (first === '{' ? 'object' : 'array') : undefined;
      if (isOpening && this.enter()) {
        closers.push(first === '{' ? '}' : ']');
        if (first === '{') yield* this.name();
        continue;
      }
      const of = isOpening ? undefined : yield* this.#scalar();
      kind ??= of;
      if (!(yield* this.#onward(closers))) return { kind: kind ?? 'null', start, end: this.at };
    }
  }

  /** After a value: to the next one, out of all that ends here; false if that is everything. */
  *#onward(closers: ('}' | ']')[]): Steps<boolean> {
    for (let closer = closers.at(-1); closer !== undefined; closer = closers.at(-1)) {
      if (this.more(closer)) {
        if (closer === '}') yield* this.name();
        return true;
      }
      closers.pop();
    }
    return false;
  }

  /** Nothing but blanks may be left. */
  end(): void {
    if (this.next() !== undefined) throw this.malformed();
  }

  /** The contents of a value: its text, without quotes and escapes; NULL for null. */
  said({ kind, start, end }: JsonSpan): string | null {
    if (kind === 'null') return null;
    return kind === 'text' ? this.#decoded(start, end) : ownPart(this.text, start, end);
  }

  #decoded(start: number, end: number): string {
    return String(JSON.parse(this.text.slice(start, end)));
  }

  *#scalar(): Steps<JsonKind> {
    if (this.text[this.at] === '"') {
      yield* this.#quoted();
      return 'text';
    }
    scalar.lastIndex = this.at;
    const found = scalar.exec(this.text);
    if (found === null) throw this.malformed();
    this.at = scalar.lastIndex;
    return found[1] !== undefined ? 'truth' : found[2] !== undefined ? 'null' : 'number';
  }

  *#quoted(): Steps<void> {
    const start = this.at;
    if (this.text[start] !== '"') throw this.malformed();
    this.at++;
    for (;;) {
      plain.lastIndex = this.at;
      plain.test(this.text);
      const isLong = plain.lastIndex - this.at === stretch;
      this.at = plain.lastIndex;
      if (isLong || ++this.#tokens % between === 0) yield;
      const mark = this.text[this.at];
      if (mark === '"') break;
      if (isLong) continue;
      escaped.lastIndex = this.at;
      if (mark !== '\\' || !escaped.test(this.text)) throw this.malformed(start);
      this.at = escaped.lastIndex;
    }
    this.at++;
  }
}

/** Reads a whole document: 13609 if it is not valid. */
export function* wholeDocument(text: string): Steps<void> {
  const reader = new JsonText(text);
  reader.root();
  yield* reader.value();
  reader.end();
}
