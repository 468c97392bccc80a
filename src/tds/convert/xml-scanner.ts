import { byName } from '../../base/by-name.ts';
import type { MessageNumber } from '../../base/messages/messages.ts';
import { sqlError } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';

/** What a scanner finds in a document or fragment, in order. */
interface XmlEvents {
  /** Text, or a piece of it; the handler may process it in steps. */
  text(text: string): Steps<void> | undefined;
  open(name: string, attributes: ReadonlyMap<string, string>): Steps<void> | undefined;
  close(name: string): void;
  /** A comment or processing instruction, as written. */
  aside(markup: string): void;
}

const nameStart = /[\p{L}_:]/u;
const nameEnd = /[\s/>=<"'&?]|$/g;
const blanks = /\s*/y;
const newline = 10;
const entities: Readonly<Record<string, string>> = byName({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });
/** The number of markup tokens, and of characters, between two points where the scan may yield. */
const between = 1000;
const stretch = 100_000;
/** The maximum length of a reference to a character or entity, with its delimiters. */
const longestReference = 42;
/** SQL Server's limit of nested elements. */
const deepest = 128;
/** The maximum number of attributes of one element: each takes ten times the memory of its text. */
const mostAttributes = 10_000;

/** Splits a long text into pieces, none of which ends inside a reference. */
export function* stretchesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    let end = start + stretch;
    const mark = end < text.length ? text.lastIndexOf('&', end - 1) : -1;
    if (mark > end - longestReference) end = mark;
    yield text.slice(start, end);
    start = end;
  }
}

/** Scans a document once from beginning to end; throws SQL Server's error if it is not well-formed. */
export class XmlScanner {
  readonly #document: string;
  readonly #events: XmlEvents;
  readonly #opened: string[] = [];
  #at = 0;
  /**
   * The position of the last yield; and the position up to which lines were counted, their number, and the start of the
   * last one.
   */
  #rested = 0;
  #counted = 0;
  #lines = 1;
  #lineStart = 0;

  constructor(document: string, events: XmlEvents) {
    this.#document = document;
    this.#events = events;
  }

  /** The scan, which may be interrupted at its yield points. */
  *steps(): Steps<void> {
    const document = this.#document;
    let count = 0;
    while (this.#at < document.length) {
      const markup = document.indexOf('<', this.#at);
      const end = markup < 0 ? document.length : markup;
      for (const piece of stretchesOf(document.slice(this.#at, end))) {
        const text = this.#events.text(this.#resolved(piece));
        if (text !== undefined) yield* text;
        this.#at += piece.length;
        if (this.#at < end) yield this.#rest();
      }
      const work = markup < 0 ? undefined : this.#markup();
      if (work !== undefined) yield* work;
      if (++count % between === 0 || this.#isFar) yield this.#rest();
    }
    if (this.#opened.length > 0) throw this.#fault(9400);
  }

  /** True if enough has been read since the last yield. */
  get #isFar(): boolean {
    return this.#at - this.#rested >= stretch;
  }

  #rest(): void {
    this.#rested = this.#at;
    this.#countLines(this.#at);
  }

  #markup(): Steps<void> | undefined {
    const starts = (text: string): boolean => this.#document.startsWith(text, this.#at);
    if (starts('<![CDATA[')) return this.#characters(this.#through(']]>', 9).slice(9, -3));
    if (starts('<!DOCTYPE')) throw sqlError(6359);
    if (starts('<!--')) this.#events.aside(this.#through('-->', 4));
    else if (starts('<?')) this.#events.aside(this.#through('?>', 2));
    else if (starts('</')) this.#closeTag();
    else return this.#openTag();
    return undefined;
  }

  *#characters(text: string): Steps<void> {
    for (const piece of stretchesOf(text)) {
      const work = this.#events.text(piece);
      if (work !== undefined) yield* work;
      if (piece.length < text.length) yield;
    }
  }

  /** Reads up to an end delimiter and skips that. */
  #through(mark: string, after: number): string {
    const end = this.#document.indexOf(mark, this.#at + after);
    if (end < 0) throw this.#fault(9400, this.#document.length);
    const found = this.#document.slice(this.#at, end + mark.length);
    this.#at = end + mark.length;
    return found;
  }

  #closeTag(): void {
    this.#at += 2;
    const name = this.#name();
    this.#skipBlanks();
    this.#expect('>', 9412);
    if (this.#opened.pop() !== name) throw this.#fault(9436);
    this.#events.close(name);
  }

  *#openTag(): Steps<void> {
    this.#at += 1;
    const name = this.#name();
    const attributes = new Map<string, string>();
    for (this.#skipBlanks(); this.#next !== '>' && this.#next !== '/'; this.#skipBlanks()) {
      if (this.#next === '') throw this.#fault(9400);
      const key = this.#name();
      if (attributes.has(key)) throw this.#fault(9437);
      if (attributes.size >= mostAttributes) throw sqlError(701, 'default');
      attributes.set(key, yield* this.#value());
      if (this.#isFar) yield this.#rest();
    }
    if (this.#opened.length >= deepest) throw sqlError(6335, deepest);
    const work = this.#events.open(name, attributes);
    if (work !== undefined) yield* work;
    if (this.#next === '>') {
      this.#at += 1;
      this.#opened.push(name);
      return;
    }
    this.#at += 1;
    this.#expect('>', 9412);
    this.#events.close(name);
  }

  *#value(): Steps<string> {
    this.#skipBlanks();
    this.#expect('=', 9414);
    this.#skipBlanks();
    const quote = this.#next;
    if (quote !== '"' && quote !== "'") throw this.#fault(9413, this.#at + 1);
    const end = this.#document.indexOf(quote, this.#at + 1);
    if (end < 0) throw this.#fault(9400, this.#document.length);
    const value = this.#document.slice(this.#at + 1, end);
    if (value.includes('<')) throw this.#fault(9415);
    this.#at = end + 1;
    if (value.length <= stretch) return this.#resolved(value);
    let resolved = '';
    for (const piece of stretchesOf(value)) {
      resolved += this.#resolved(piece);
      yield;
    }
    return resolved;
  }

  #name(): string {
    if (!nameStart.test(this.#next)) throw this.#next === '' ? this.#fault(9400) : this.#fault(9455, this.#at + 1);
    nameEnd.lastIndex = this.#at;
    const end = nameEnd.exec(this.#document)?.index ?? this.#document.length;
    const name = this.#document.slice(this.#at, end);
    this.#at = end;
    return name;
  }

  #resolved(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;&<\s]{0,40})(;?)/g, (_whole, name: string, end: string) => {
      if (end === '') throw this.#fault(9411);
      const found = entities[name] ?? characterOf(name);
      if (found === undefined) throw this.#fault(9448);
      return found;
    });
  }

  get #next(): string {
    return this.#document.charAt(this.#at);
  }

  #skipBlanks(): void {
    blanks.lastIndex = this.#at;
    blanks.exec(this.#document);
    this.#at = blanks.lastIndex;
  }

  #expect(mark: string, otherwise: MessageNumber): void {
    if (this.#next !== mark) throw this.#next === '' ? this.#fault(9400) : this.#fault(otherwise, this.#at + 1);
    this.#at += 1;
  }

  #fault(number: MessageNumber, at = this.#at): Error {
    this.#countLines(at);
    return sqlError(number, this.#lines, at - this.#lineStart);
  }

  #countLines(to: number): void {
    for (; this.#counted < to; this.#counted++) {
      if (this.#document.charCodeAt(this.#counted) !== newline) continue;
      this.#lines++;
      this.#lineStart = this.#counted + 1;
    }
  }
}

/** The character of `#10` or `#xA`; undefined for any other name. */
function characterOf(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (digits === null) return undefined;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
