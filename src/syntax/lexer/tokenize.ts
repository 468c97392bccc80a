import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { ownPart } from '../../base/text/own-part.ts';
import { textOfUnits } from '../../base/text/text-units.ts';
import type { Token, TokenKind } from './token.ts';

/** The longest batch that is read; SQL Server's own limit is 65,536 packets. */
const longestBatch = 64 * 1024 * 1024;
/**
 * A statement takes a hundred times the memory of its text: many short ones would fill it long before the text is long.
 */
const mostTokens = 2_000_000;
/** The longest name: 103 for a longer one. */
export const longestName = 128;

const otherSpace = /[\s\u00a0\ufeff]/;
// Read no further than is needed to see that a name is too long: millions of letters would fill the stack of the
// pattern.
const word = /(?:[\p{L}_#]|\$(?=\p{L}))[\p{L}\p{N}_@#$]{0,128}/uy;
const variable = /@@?[\p{L}\p{N}_@#$]{0,128}/uy;
// No group repeats for a plain digit, and none for ever, for the same reason.
const binary = /0[xX][0-9a-fA-F]*(?:\\\r?\n[0-9a-fA-F]*){0,100000}/y;
const onlyDigits = /^\d+$/;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/y;
const money = /[$£€¥]\s*[+-]?(?:\d[\d,]*\.?\d*|\.\d+)?/y;
const symbol = /<=|>=|<>|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|::|[-+*/%&|^~=<>(),.;:{}?!]/y;

const [tab, newline, carriageReturn, blank, quotationMark, apostrophe] = [9, 10, 13, 32, 34, 39];
const [star, minus, dot, slash, atSign, capitalN, bracket, smallN, lastAscii] = [42, 45, 46, 47, 64, 78, 91, 110, 127];

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
const isBlank = (unit: number): boolean =>
  unit === blank ||
  (unit >= tab && unit <= carriageReturn) ||
  unit === 0 ||
  (unit > lastAscii && otherSpace.test(String.fromCharCode(unit)));

/** Characters that are read before others may have their turn: a fraction of a millisecond's work. */
const stretch = 100_000;
/** How much of a quoted text is scanned first: most are short. */
const firstPiece = 256;

/**
 * Cuts a batch into tokens; throws 105 for an unclosed quote, 113 for an unclosed comment, 102 for a stray character.
 */
export function tokenize(text: string, quotedIdentifier = true): Token[] {
  const lexer = new Lexer(text, quotedIdentifier);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
  }
}

/** A text in quotes whose end was not found yet. */
interface Quote {
  readonly kind: TokenKind;
  readonly close: string;
  readonly start: number;
  /** Where its contents begin, how far they have been read, and what was read. */
  readonly from: number;
  at: number;
  text: string;
}

/** Reads a batch token by token, on demand. */
export class Lexer {
  readonly #text: string;
  /** SET QUOTED_IDENTIFIER; a SET in the text changes it for what follows. */
  quotedIdentifier: boolean;
  #at = 0;
  #line = 1;
  #count = 0;
  /**
   * The end of the line: searched once per line, since a search at every token would read a long line over and over.
   */
  #lineEnd: number;
  /** How far the text was read; lines are counted up to `#at` only. */
  #read = 0;
  /** The token that ends there. */
  #made: Token | undefined;
  #quote: Quote | undefined;
  /** How many comments are open, one in another. */
  #comments = 0;

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

  /** The next token; at the end always the end token. */
  next(): Token {
    for (;;) {
      const token = this.step();
      if (token !== undefined) return token;
    }
  }

  /** The next token; undefined if it is so far away that others should get their turn before the next call. */
  step(): Token | undefined {
    for (const from = this.#at; this.#at - from < stretch; ) {
      if (this.#quote !== undefined) this.#readQuoted(this.#quote);
      else if (this.#comments > 0) this.#readComment();
      else if (this.#read === this.#at) this.#begin();
      if (this.#quote !== undefined || this.#comments > 0) return undefined;
      this.#countLines();
      if (this.#read > this.#at) return undefined;
      if (this.#made !== undefined) return this.#taken(this.#made);
    }
    return undefined;
  }

  /** Goes back to the position after a token, the `count`th: what follows is read again. */
  backTo({ start, end, line }: Token, count: number): void {
    [this.#at, this.#read, this.#count] = [end, end, count];
    this.#line = line + this.#text.slice(start, end).split('\n').length - 1;
    [this.#made, this.#quote, this.#comments] = [undefined, undefined, 0];
    this.#lineEnd = this.#text.indexOf('\n', end);
  }

  #taken(made: Token): Token {
    this.#made = undefined;
    if (++this.#count > mostTokens) throw sqlError(701, 'default');
    return made;
  }

  /** Reads blanks, a comment or a token; of a long one the beginning. */
  #begin(): void {
    const text = this.#text;
    const unit = text.charCodeAt(this.#at);
    const next = text.charCodeAt(this.#at + 1);
    if (isBlank(unit)) this.#readBlanks();
    else if (unit === minus && next === minus) this.#read = this.#lineEnd < 0 ? text.length : this.#lineEnd;
    else if (unit === slash && next === star) this.#readComment();
    else if (unit === apostrophe) this.#beginQuoted('string', "'", 1);
    else if (unit === quotationMark) this.#beginQuoted(this.quotedIdentifier ? 'identifier' : 'string', '"', 1);
    else if (unit === bracket) this.#beginQuoted('identifier', ']', 1);
    else if ((unit === capitalN || unit === smallN) && next === apostrophe) this.#beginQuoted('nstring', "'", 2);
    else if (Number.isNaN(unit)) this.#made = this.#token('end', this.#at, '', '');
    else this.#made = this.#likely(unit, next) ?? this.#unlikely();
  }

  /** What a token most likely is by its first characters. */
  #likely(unit: number, next: number): Token | undefined {
    if (isLetter(unit)) return this.#match(word, 'word');
    if (isDigit(unit) || (unit === dot && isDigit(next))) return this.#match(binary, 'binary') ?? this.#number();
    if (unit === atSign) return this.#match(variable, 'variable');
    return unit <= lastAscii ? this.#match(symbol, 'symbol') : undefined;
  }

  #unlikely(): Token {
    const found = this.#match(word, 'word') ?? this.#match(money, 'money');
    if (found === undefined) throw sqlError(102, this.#text[this.#at] ?? '').at({ line: this.#line });
    return found;
  }

  #number(): Token | undefined {
    const found = this.#match(number, 'integer');
    if (found === undefined || onlyDigits.test(found.text)) return found;
    return { ...found, kind: /e/i.test(found.text) ? 'float' : 'decimal' };
  }

  #match(pattern: RegExp, kind: TokenKind): Token | undefined {
    const start = this.#at;
    pattern.lastIndex = start;
    if (!pattern.test(this.#text)) return undefined;
    this.#read = pattern.lastIndex;
    const found = ownPart(this.#text, start, this.#read);
    if (found.length > longestName && (kind === 'word' || kind === 'variable')) throw this.#tooLong(found);
    const upper = kind === 'word' ? found.toUpperCase() : kind === 'symbol' ? found : '';
    return this.#token(kind === 'variable' && found.startsWith('@@') ? 'global' : kind, start, found, upper);
  }

  #readBlanks(): void {
    const end = Math.min(this.#text.length, this.#at + stretch);
    let at = this.#at + 1;
    while (at < end && isBlank(this.#text.charCodeAt(at))) at++;
    this.#read = at;
  }

  /** Quoted text; a doubled closing quote means itself. */
  #beginQuoted(kind: TokenKind, close: string, prefix: number): void {
    const start = this.#at;
    const from = start + prefix;
    const end = this.#text.indexOf(close, from);
    if (end < 0) throw this.#unclosed(from);
    const quote = { kind, close, start, from, at: from, text: '' };
    if (this.#text[end + 1] === close) this.#readQuoted(quote);
    else this.#endQuoted({ ...quote, text: ownPart(this.#text, from, end) }, end + 1);
  }

  /**
   * Reads a piece of it into one text: one for each doubled quote, as the runtime's own replacing has it, takes long.
   */
  #readQuoted(quote: Quote): void {
    const text = this.#text;
    const unit = quote.close.charCodeAt(0);
    const end = Math.min(text.length, quote.at + Math.min(stretch, Math.max(firstPiece, quote.at - quote.from)));
    const units = new Uint16Array(end - quote.at);
    let [at, length, isClosed] = [quote.at, 0, false];
    while (at < end) {
      const one = text.charCodeAt(at++);
      isClosed = one === unit && text.charCodeAt(at) !== unit;
      if (isClosed) break;
      if (one === unit) at++;
      units[length++] = one;
    }
    quote.text += textOfUnits(units.subarray(0, length));
    quote.at = at;
    if (isClosed) this.#endQuoted(quote, at);
    else if (at < text.length) this.#quote = quote;
    else throw this.#unclosed(quote.from);
  }

  #endQuoted({ kind, text, start }: Quote, end: number): void {
    this.#quote = undefined;
    if (kind === 'identifier' && text.length > longestName) throw this.#tooLong(text);
    this.#read = end;
    this.#made = this.#token(kind, start, text, '');
  }

  #unclosed(from: number): SqlError {
    return sqlError(105, this.#text.slice(from)).at({ line: this.#line });
  }

  #tooLong(name: string): SqlError {
    return sqlError(103, name.slice(0, longestName), longestName).at({ line: this.#line });
  }

  #readComment(): void {
    const text = this.#text;
    const end = Math.min(text.length, this.#read + stretch);
    let [at, depth] = [this.#read, this.#comments];
    while (at < end) {
      const unit = text.charCodeAt(at++);
      if (unit === slash && text.charCodeAt(at) === star) {
        at++;
        depth++;
      } else if (unit === star && text.charCodeAt(at) === slash) {
        at++;
        if (--depth === 0) break;
      }
    }
    if (depth > 0 && at >= text.length) throw sqlError(113).at({ line: this.#line });
    [this.#read, this.#comments] = [at, depth];
  }

  /** Counts the lines of what was read, or of a part of it. */
  #countLines(): void {
    if (this.#lineEnd < 0 || this.#lineEnd >= this.#read) {
      this.#at = this.#read;
      return;
    }
    // Unit by unit: searching for each would take ten times as long if there are millions of lines.
    const from = Math.max(this.#at, this.#lineEnd);
    const end = Math.min(this.#read, from + stretch);
    for (let at = from; at < end; at++) if (this.#text.charCodeAt(at) === newline) this.#line++;
    this.#at = end;
    if (end === this.#read) this.#lineEnd = this.#text.indexOf('\n', end);
  }

  #token(kind: TokenKind, start: number, text: string, upper: string): Token {
    return { kind, text, upper, line: this.#line, start, end: this.#read };
  }
}
