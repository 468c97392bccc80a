import { byName } from '../../base/by-name.ts';
import type { MessageNumber } from '../../base/messages.ts';
import { sqlError } from '../../base/sql-error.ts';
import type { Steps } from '../../base/steps.ts';

/** What a scanner finds in a document or fragment, in order. */
interface XmlEvents {
  text(text: string): void;
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  close(name: string): void;
  /** A comment or processing instruction, as it is written. */
  aside(markup: string): void;
}

const nameStart = /[\p{L}_:]/u;
const nameEnd = /[\s/>=<"'&?]|$/g;
const blanks = /\s*/y;
const entities: Readonly<Record<string, string>> = byName({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });
/** How many marks are read between two places where others may have their turn. */
const between = 1000;

/** Walks a document once, from its beginning to its end; throws SQL Server's error of what is not well formed. */
export class XmlScanner {
  readonly #document: string;
  readonly #events: XmlEvents;
  readonly #opened: string[] = [];
  #at = 0;

  constructor(document: string, events: XmlEvents) {
    this.#document = document;
    this.#events = events;
  }

  /** The walk, which may be interrupted now and then. */
  *steps(): Steps<void> {
    const document = this.#document;
    let count = 0;
    while (this.#at < document.length) {
      const markup = document.indexOf('<', this.#at);
      const end = markup < 0 ? document.length : markup;
      if (end > this.#at) this.#events.text(this.#resolved(document.slice(this.#at, end)));
      this.#at = end;
      if (markup >= 0) this.#markup();
      if (++count % between === 0) yield;
    }
    if (this.#opened.length > 0) throw this.#fault(9400);
  }

  #markup(): void {
    const starts = (text: string): boolean => this.#document.startsWith(text, this.#at);
    if (starts('<!--')) this.#events.aside(this.#through('-->', 4));
    else if (starts('<![CDATA[')) this.#events.text(this.#through(']]>', 9).slice(9, -3));
    else if (starts('<!DOCTYPE')) throw sqlError(6359);
    else if (starts('<?')) this.#events.aside(this.#through('?>', 2));
    else if (starts('</')) this.#closeTag();
    else this.#openTag();
  }

  /** What stands from here through an end mark, which is left behind. */
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

  #openTag(): void {
    this.#at += 1;
    const name = this.#name();
    const attributes = new Map<string, string>();
    for (this.#skipBlanks(); this.#next !== '>' && this.#next !== '/'; this.#skipBlanks()) {
      if (this.#next === '') throw this.#fault(9400);
      const key = this.#name();
      if (attributes.has(key)) throw this.#fault(9437);
      attributes.set(key, this.#value());
    }
    this.#events.open(name, attributes);
    if (this.#next === '>') {
      this.#at += 1;
      this.#opened.push(name);
      return;
    }
    this.#at += 1;
    this.#expect('>', 9412);
    this.#events.close(name);
  }

  #value(): string {
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
    return this.#resolved(value);
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
    const before = this.#document.slice(0, at);
    let lines = 1;
    let start = 0;
    for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', start)) {
      lines++;
      start = end + 1;
    }
    return sqlError(number, lines, before.length - start);
  }
}

/** The character of `#10` or `#xA`; undefined for any other name. */
function characterOf(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name);
  if (digits === null) return undefined;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
