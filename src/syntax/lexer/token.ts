export type TokenKind =
  | 'word'
  | 'identifier'
  | 'variable'
  | 'global'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'money'
  | 'string'
  | 'nstring'
  | 'binary'
  | 'symbol'
  | 'end';

/** A word of T-SQL. */
export interface Token {
  readonly kind: TokenKind;
  /** As written, for messages; an identifier or string without its quotes. */
  readonly text: string;
  /** What a long constant of the server's code page is worth, where that was worked out beforehand. */
  readonly value?: string;
  /** A word in upper case, a symbol as it is; empty for everything else, so that quoted names are never keywords. */
  readonly upper: string;
  readonly line: number;
  /** Where it begins in the batch, and where it ends. */
  readonly start: number;
  readonly end: number;
}
