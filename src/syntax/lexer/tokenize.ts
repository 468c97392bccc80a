import { type SqlError, sqlError } from '../../base/sql-error.ts';
import { textOfUnits, unitsOf } from '../../base/text-units.ts';
import type { Token, TokenKind } from './token.ts';

/** The longest batch that is read; SQL Server's own limit is 65,536 packets. */
const longestBatch = 64 * 1024 * 1024;
/** A statement takes a hundred times the memory of its text: many short ones would fill it long before the text is long. */
const mostTokens = 2_000_000;
/** The longest name: 103 for a longer one. */
export const longestName = 128;

const space = /[\s\u00a0\ufeff\0]+/y;
const lineComment = /--[^\n]*/y;
// Read no further than is needed to see that a name is too long: millions of letters would fill the stack of the pattern.
const word = /[\p{L}_#][\p{L}\p{N}_@#$]{0,128}/uy;
const variable = /@@?[\p{L}\p{N}_@#$]{0,128}/uy;
// No group repeats for a plain digit, and none for ever, for the same reason.
const binary = /0[xX][0-9a-fA-F]*(?:\\\r?\n[0-9a-fA-F]*){0,100000}/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/y;
const money = /[$£€¥]\s*[+-]?(?:\d[\d,]*\.?\d*|\.\d+)?/y;
const symbol = /<=|>=|<>|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|::|[-+*/%&|^~=<>(),.;:{}?!]/y;

const slash = 47;
const star = 42;
const newline = 10;

/** From this length on the runtime's own replacing, which keeps a piece for each quote, may take a second. */
const longQuoted = 100_000;

/** What is written in quotes, each doubled one as one. */
function undoubled(written: string, close: string): string {
  if (written.length < longQuoted) return written.replaceAll(close + close, close);
  const units = unitsOf(written);
  const unit = close.charCodeAt(0);
  let length = 0;
  for (let at = 0; at < units.length; at++) {
    const one = units[at] ?? 0;
    units[length++] = one;
    if (one === unit) at++;
  }
  return textOfUnits(units.subarray(0, length));
}

/** Cuts a batch into tokens; throws 105 for an unclosed quote, 113 for an unclosed comment, 102 for a stray character. */
export function tokenize(text: string, quotedIdentifier = true): Token[] {
  const lexer = new Lexer(text, quotedIdentifier);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** Reads a batch token by token, as far as somebody asks. */
export class Lexer {
  readonly #text: string;
  /** SET QUOTED_IDENTIFIER; a SET in the text changes it for what follows. */
  quotedIdentifier: boolean;
  #at = 0;
  #line = 1;
  #count = 0;
  /** Where the line ends: looked for once a line, since a search at every token reads a long line over and over. */
  #lineEnd: number;

  constructor(text: string, quotedIdentifier = true) {
    if (text.length > longestBatch) throw sqlError(701, 'default');
    this.#text = text;
    this.quotedIdentifier = quotedIdentifier;
    this.#lineEnd = text.indexOf('\n');
  }

  /** How many tokens were read. */
  get count(): number {
    return this.#count;
  }

  /** The next token; at the end always the one that says so. */
  next(): Token {
    if (++this.#count > mostTokens) throw sqlError(701, 'default');
    this.#skip();
    const first = this.#text[this.#at];
    if (first === undefined) return this.#token('end', this.#at, '', '');
    if (first === "'") return this.#quoted('string', "'", 1);
    if (first === '"') return this.#quoted(this.quotedIdentifier ? 'identifier' : 'string', '"', 1);
    if (first === '[') return this.#quoted('identifier', ']', 1);
    if ((first === 'N' || first === 'n') && this.#text[this.#at + 1] === "'") return this.#quoted('nstring', "'", 2);
    return this.#plain(first);
  }

  #plain(first: string): Token {
    const found =
      this.#match(binary, 'binary') ??
      this.#number() ??
      this.#match(variable, 'variable') ??
      this.#match(word, 'word') ??
      this.#match(money, 'money') ??
      this.#match(symbol, 'symbol');
    if (found === undefined) throw sqlError(102, first).at({ line: this.#line });
    return found;
  }

  #number(): Token | undefined {
    const found = this.#match(number, 'integer');
    if (found === undefined) return undefined;
    const kind = /e/i.test(found.text) ? 'float' : found.text.includes('.') ? 'decimal' : 'integer';
    return { ...found, kind };
  }

  #match(pattern: RegExp, kind: TokenKind): Token | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    const start = this.#at;
    this.#at += found.length;
    if (found.length > longestName && (kind === 'word' || kind === 'variable')) throw this.#tooLong(found);
    const upper = kind === 'word' ? found.toUpperCase() : kind === 'symbol' ? found : '';
    return this.#token(kind === 'variable' && found.startsWith('@@') ? 'global' : kind, start, found, upper);
  }

  /** Text in quotes; a doubled closing quote stands for itself. */
  #quoted(kind: TokenKind, close: string, prefix: number): Token {
    const start = this.#at;
    const line = this.#line;
    const from = start + prefix;
    const end = this.#closing(from, close);
    if (end === undefined) throw sqlError(105, this.#text.slice(from)).at({ line });
    const written = this.#text.slice(from, end);
    const text = written.includes(close) ? undoubled(written, close) : written;
    if (kind === 'identifier' && text.length > longestName) throw this.#tooLong(text);
    this.#moveTo(end + 1);
    return { kind, text, upper: '', line, start, end: end + 1 };
  }

  /** Where the closing quote stands that is not doubled. */
  #closing(from: number, close: string): number | undefined {
    for (let end = this.#text.indexOf(close, from); end >= 0; end = this.#text.indexOf(close, end)) {
      const first = end;
      const unit = close.charCodeAt(0);
      while (this.#text.charCodeAt(end) === unit) end++;
      if ((end - first) % 2 === 1) return end - 1;
    }
    return undefined;
  }

  #tooLong(name: string): SqlError {
    return sqlError(103, name.slice(0, longestName), longestName).at({ line: this.#line });
  }

  #skip(): void {
    for (;;) {
      const before = this.#at;
      this.#pass(space);
      this.#pass(lineComment);
      if (this.#text.startsWith('/*', this.#at)) this.#blockComment();
      if (this.#at === before) return;
    }
  }

  #pass(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#moveTo(pattern.lastIndex);
  }

  #blockComment(): void {
    const text = this.#text;
    let at = this.#at;
    for (let depth = 0; at < text.length; ) {
      const unit = text.charCodeAt(at++);
      if (unit === slash && text.charCodeAt(at) === star) {
        at++;
        depth++;
      } else if (unit === star && text.charCodeAt(at) === slash) {
        at++;
        if (--depth > 0) continue;
        this.#moveTo(at);
        return;
      }
    }
    throw sqlError(113).at({ line: this.#line });
  }

  #moveTo(end: number): void {
    if (this.#lineEnd >= 0 && this.#lineEnd < end) {
      // Unit by unit: a search for each would take ten times as long where there are millions of lines.
      for (let at = this.#lineEnd; at < end; at++) if (this.#text.charCodeAt(at) === newline) this.#line++;
      this.#lineEnd = this.#text.indexOf('\n', end);
    }
    this.#at = end;
  }

  #token(kind: TokenKind, start: number, text: string, upper: string): Token {
    return { kind, text, upper, line: this.#line, start, end: this.#at };
  }
}
