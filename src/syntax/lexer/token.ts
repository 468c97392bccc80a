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
  /** The value of a long constant in the server's code page, if it was computed beforehand. */
  readonly value?: string;
  /** A word in upper case, or a symbol; empty for everything else, so that quoted names are never keywords. */
  readonly upper: string;
  readonly line: number;
  /** Its start and end in the batch. */
  readonly start: number;
  readonly end: number;
}
