import { SqlError } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { Token } from './token.ts';
import type { Lexer } from './tokenize.ts';

/** From this length on, a text is tokenized ahead of the parser, which does not yield within a statement. */
const longText = 20_000;
/** Tokens that are read in a row. */
const tokensInARow = 500;

/** The tokens of a text for a parser: those of a long text are read ahead, giving way in between. */
export class TokenSource {
  readonly #lexer: Lexer;
  readonly #isLong: boolean;
  /** What was read ahead, and how much of it was taken. */
  #ahead: Token[] = [];
  #at = 0;
  /** The error after that: thrown when the parser gets there. */
  #failure: SqlError | undefined;
  #last: Token | undefined;
  #taken = 0;

  constructor(lexer: Lexer, length: number) {
    this.#lexer = lexer;
    this.#isLong = length >= longText;
  }

  /** How many tokens were taken. */
  get taken(): number {
    return this.#taken;
  }

  /** The next token; at the end always the end token. */
  next(): Token {
    const ahead = this.#ahead[this.#at];
    if (ahead === undefined && this.#failure !== undefined) throw this.#failure;
    const token = ahead ?? this.#lexer.next();
    if (ahead !== undefined) this.#at++;
    this.#taken++;
    this.#last = token;
    return token;
  }

  /** Reads at least this many tokens ahead, if the text is long; `finish` adds to a token what takes long. */
  *readAhead(least: number, finish: (token: Token) => Steps<Token>): Steps<void> {
    if (!this.#isLong || this.#failure !== undefined) return;
    const hasEnd = () => this.#ahead.at(-1)?.kind === 'end';
    if (this.#ahead.length - this.#at >= least || hasEnd()) return;
    this.#ahead = this.#ahead.slice(this.#at);
    this.#at = 0;
    // Some more, so that short statements do not move what is ahead of each of them.
    while (this.#ahead.length < least * 1.25 && !hasEnd()) {
      const token = this.#step();
      if (this.#failure !== undefined) return;
      if (token !== undefined) this.#ahead.push(yield* finish(token));
      if (token === undefined || this.#ahead.length % tokensInARow === 0) yield;
    }
  }

  #step(): Token | undefined {
    try {
      return this.#lexer.step();
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      this.#failure = error;
      return undefined;
    }
  }

  /** SET QUOTED_IDENTIFIER for what was not taken yet. */
  set quotedIdentifier(isOn: boolean) {
    if (this.#last !== undefined && (this.#ahead.length > 0 || this.#failure !== undefined))
      this.#lexer.backTo(this.#last, this.#taken);
    [this.#ahead, this.#at, this.#failure] = [[], 0, undefined];
    this.#lexer.quotedIdentifier = isOn;
  }
}
