import { sqlError } from '../../base/sql-error.ts';
import type { Token, TokenKind } from './token.ts';

/** The longest batch that is read; SQL Server's own limit is 65,536 packets. */
const longestBatch = 64 * 1024 * 1024;
/** A statement takes a hundred times the memory of its text: many short ones would fill it long before the text is long. */
const mostTokens = 2_000_000;

const space = /[\s\u00a0\ufeff\0]+/y;
const lineComment = /--[^\n]*/y;
const word = /[\p{L}_#][\p{L}\p{N}_@#$]*/uy;
const variable = /@@?[\p{L}\p{N}_@#$]*/uy;
// No group repeats for a plain digit: the pattern must not need a stack for megabytes of them.
const binary = /0[xX][0-9a-fA-F]*(?:\\\r?\n[0-9a-fA-F]*)*/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/y;
const money = /[$£€¥]\s*[+-]?(?:\d[\d,]*\.?\d*|\.\d+)?/y;
const symbol = /<=|>=|<>|!=|!<|!>|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|::|[-+*/%&|^~=<>(),.;:{}?!]/y;

/** Cuts a batch into tokens; throws 105 for an unclosed quote, 113 for an unclosed comment, 102 for a stray character. */
export function tokenize(text: string, quotedIdentifier = true): Token[] {
  if (text.length > longestBatch) throw sqlError(701, 'default');
  const lexer = new Lexer(text, quotedIdentifier);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === 'end') return tokens;
    if (tokens.length > mostTokens) throw sqlError(701, 'default');
  }
}

class Lexer {
  readonly #text: string;
  readonly #quotedIdentifier: boolean;
  #at = 0;
  #line = 1;
  /** Where the line ends: looked for once a line, since a search at every token reads a long line over and over. */
  #lineEnd: number;

  constructor(text: string, quotedIdentifier: boolean) {
    this.#text = text;
    this.#quotedIdentifier = quotedIdentifier;
    this.#lineEnd = text.indexOf('\n');
  }

  next(): Token {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === undefined) return this.#token('end', this.#at, '', '');
    if (first === "'") return this.#quoted('string', "'", 1);
    if (first === '"') return this.#quoted(this.#quotedIdentifier ? 'identifier' : 'string', '"', 1);
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
    const upper = kind === 'word' ? found.toUpperCase() : kind === 'symbol' ? found : '';
    return this.#token(kind === 'variable' && found.startsWith('@@') ? 'global' : kind, start, found, upper);
  }

  /** Text in quotes; a doubled closing quote stands for itself. */
  #quoted(kind: TokenKind, close: string, prefix: number): Token {
    const start = this.#at;
    const line = this.#line;
    let from = start + prefix;
    let value = '';
    for (;;) {
      const end = this.#text.indexOf(close, from);
      if (end < 0) throw sqlError(105, this.#text.slice(start + prefix)).at({ line });
      value += this.#text.slice(from, end);
      if (this.#text[end + 1] !== close) {
        this.#moveTo(end + 1);
        return { kind, text: value, upper: '', line, start, end: end + 1 };
      }
      value += close;
      from = end + 2;
    }
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
    const mark = /\/\*|\*\//g;
    mark.lastIndex = this.#at;
    for (let depth = 0; ; ) {
      const found = mark.exec(this.#text);
      if (found === null) throw sqlError(113).at({ line: this.#line });
      depth += found[0] === '/*' ? 1 : -1;
      if (depth === 0) break;
    }
    this.#moveTo(mark.lastIndex);
  }

  #moveTo(end: number): void {
    while (this.#lineEnd >= 0 && this.#lineEnd < end) {
      this.#line++;
      this.#lineEnd = this.#text.indexOf('\n', this.#lineEnd + 1);
    }
    this.#at = end;
  }

  #token(kind: TokenKind, start: number, text: string, upper: string): Token {
    return { kind, text, upper, line: this.#line, start, end: this.#at };
  }
}
