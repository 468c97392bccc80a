import { type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { ownPart } from '../../base/text/own-part.ts';
import type { Steps } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Condition, Expression } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { Statement } from '../ast/statement.ts';
import { reserved } from '../lexer/keywords.ts';
import type { Token } from '../lexer/token.ts';
import { TokenSource } from '../lexer/token-source.ts';
import { type Lexer, longestName } from '../lexer/tokenize.ts';
import { withValue } from './literal.ts';
import { Pauses } from './pauses.ts';

/** The rules that refer to each other; the cursor hands them out, so that the files of the grammar form no circle. */
export interface Grammar {
  expression(cursor: TokenStream): Expression;
  condition(cursor: TokenStream): Condition;
  node(cursor: TokenStream): Expression | Condition;
  query(cursor: TokenStream): Query;
  statement(cursor: TokenStream): Statement;
  /** The keywords that begin a statement. */
  readonly statementWords: ReadonlySet<string>;
}

/** How deep expressions, queries and blocks may nest before error 191. */
const deepest = 200;
/** The maximum number of operators of one level in a row: reading and running them nests as deep as their number. */
const longestChain = 1500;

/** The maximum number of tokens of a statement: others wait while it is read. 8623 for more. */
const mostInStatement = 100_000;
/** The number of tokens of read statements that are kept before they are dropped. */
const mostSeen = 1024;

/** The variables in sight, and where each was declared. */
type Variables = Map<string, { readonly kind: 'scalar' | 'table'; readonly at: number }>;

/** The parser's place in a batch's tokens, and the variables declared so far. */
export class TokenStream {
  readonly #source: string;
  readonly #tokens: TokenSource;
  readonly #grammar: Grammar;
  /** Tokens that were read ahead and those just consumed, and which of them comes next. */
  #seen: Token[] = [];
  #at = 0;
  /** The number of dropped tokens. */
  #gone = 0;
  #previous: Token | undefined;
  /** How many tokens were read since the statement began. */
  #inStatement = 0;
  #depth = 0;
  /** True while a query may have FOR UPDATE: that of a cursor. */
  #isForCursor: boolean;
  #variables: Variables;
  /** The variables of procedures, by where those begin. */
  readonly #scopes = new Map<number, Variables>();
  #setsQuotedIdentifier: boolean | undefined;
  /** The position of the last SET QUOTED_IDENTIFIER. */
  #quotingAt = -1;
  readonly #pauses = new Pauses();
  #mayPause = false;

  constructor(source: string, lexer: Lexer, grammar: Grammar, variables: Iterable<string>, isForCursor = false) {
    this.#isForCursor = isForCursor;
    this.#source = source;
    this.#tokens = new TokenSource(lexer, source.length);
    this.#grammar = grammar;
    this.#variables = new Map([...variables].map((name) => [fold(name), { kind: 'scalar', at: -1 }]));
  }

  expression(): Expression {
    return this.#grammar.expression(this);
  }

  condition(): Condition {
    return this.#grammar.condition(this);
  }

  /** A value or a condition, whichever comes next. */
  node(): Expression | Condition {
    return this.#grammar.node(this);
  }

  query(): Query {
    return this.deeper(() => this.#grammar.query(this));
  }

  /** The query of a cursor. */
  cursorQuery(): Query {
    const before = this.#isForCursor;
    this.#isForCursor = true;
    try {
      return this.query();
    } finally {
      this.#isForCursor = before;
    }
  }

  get isForCursor(): boolean {
    return this.#isForCursor;
  }

  statement(): Statement {
    return this.#grammar.statement(this);
  }

  /** The token `ahead` places further; after the last one, the end token. */
  peek(ahead = 0): Token {
    while (this.#seen.length <= this.#at + ahead) this.#read();
    return this.#seen[this.#at + ahead] as Token; // just read
  }

  #read(): void {
    const last = this.#seen.at(-1);
    if (last?.kind !== 'end' && ++this.#inStatement > mostInStatement)
      throw sqlError(8623).at({ line: last?.line ?? 1 });
    this.#seen.push(last?.kind === 'end' ? last : this.#tokens.next());
  }

  /** Reads the tokens of what may be a long statement beforehand. */
  readAhead(): Steps<void> {
    return this.#tokens.readAhead(mostInStatement, withValue);
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#take(1);
    return token;
  }

  #take(count: number): void {
    this.#at += count;
    this.#previous = this.#seen[this.#at - 1];
  }

  /** How many tokens of the batch were taken before the one that comes next. */
  get position(): number {
    return this.#gone + this.#at;
  }

  #goTo(position: number): void {
    this.#at = position - this.#gone;
    this.#previous = this.#seen[this.#at - 1];
  }

  /**
   * Reads a statement, or a stretch of a long one: undefined if others should get their turn before it is called again.
   */
  attempt<T>(read: () => T): { readonly value: T } | undefined {
    const start = this.position;
    this.#mayPause = true;
    const found = this.#pauses.attempt(read);
    if (found === undefined) this.#goTo(start);
    this.#mayPause = false;
    return found;
  }

  /**
   * Reads a construct of many parts: `more` reads one and returns the result so far with it, or undefined if there is
   * none. Its argument must not change until the part is read: the parser may pause in it.
   */
  series<T>(kind: string, first: T, more: (before: T) => T | undefined): T {
    const start = this.position;
    const kept = this.#pauses.find(kind, start);
    // What was kept there is of this kind of series.
    let read = kept === undefined ? first : (kept.value as T);
    if (kept !== undefined) this.#goTo(kept.end);
    if (kept?.isWhole) return read;
    let end = this.position;
    try {
      for (;;) {
        if (this.#mayPause) this.#pauses.pauseAt(end);
        const next = more(read);
        if (next === undefined) break;
        read = next;
        end = this.position;
      }
    } catch (error) {
      this.#pauses.keepPart(error, kind, start, end, read);
      throw error;
    }
    if (this.#mayPause) this.#pauses.keepWhole(kind, start, this.position, read);
    return read;
  }

  /** How many tokens were read so far. */
  get tokensRead(): number {
    return this.#tokens.taken;
  }

  /** SET QUOTED_IDENTIFIER, if one was read; it holds for what follows in the text. */
  get setsQuotedIdentifier(): boolean | undefined {
    return this.#setsQuotedIdentifier;
  }

  set setsQuotedIdentifier(isOn: boolean) {
    // One that is read again has been heeded.
    if (this.position <= this.#quotingAt) return;
    this.#quotingAt = this.position;
    this.#setsQuotedIdentifier = isOn;
    this.#tokens.quotedIdentifier = isOn;
  }

  /** Begins a statement of a batch, with a budget of its own. */
  beginStatement(): void {
    this.#inStatement = 0;
    if (this.#at >= mostSeen) {
      this.#gone += this.#at;
      this.#seen = this.#seen.slice(this.#at);
      this.#at = 0;
    }
    this.#scopes.clear();
    this.#pauses.clear(this.position);
  }

  /** True if a statement ends here, so that an optional expression is absent. */
  get atStatementEnd(): boolean {
    const ends = this.atEnd || this.is(';') || this.is('END') || this.is('ELSE');
    return ends || this.isOneOf(this.#grammar.statementWords);
  }

  get line(): number {
    return this.peek().line;
  }

  get atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  /** True when the next tokens are these words or symbols, in upper case. */
  is(first: string, ...others: readonly string[]): boolean {
    return this.peek().upper === first && others.every((word, at) => this.peek(at + 1).upper === word);
  }

  isOneOf(words: ReadonlySet<string>): boolean {
    return words.has(this.peek().upper);
  }

  /** Takes the words if they come next. */
  accept(first: string, ...others: readonly string[]): boolean {
    if (!this.is(first, ...others)) return false;
    this.#take(1 + others.length);
    return true;
  }

  expect(...words: readonly string[]): void {
    for (const word of words) if (!this.accept(word)) throw this.unexpected();
  }

  /** What commas part: at least one. */
  list<T>(item: () => T): T[] {
    const items = [item()];
    if (!this.is(',')) return items;
    return this.series('list', items, (before) => {
      if (!this.accept(',')) return undefined;
      before.push(item());
      return before;
    });
  }

  /** The contents of parentheses. */
  inParentheses<T>(step: () => T): T {
    this.expect('(');
    const found = step();
    this.expect(')');
    return found;
  }

  /** DESC, or ASC, which may be left out. */
  descending(): boolean {
    const isDescending = this.accept('DESC');
    if (!isDescending) this.accept('ASC');
    return isDescending;
  }

  /** The error of the next token: 156 for a keyword, 102 for anything else. */
  unexpected(): SqlError {
    const token = this.peek();
    if (token.kind === 'word' && reserved.has(token.upper)) return sqlError(156, token.text).at({ line: token.line });
    return sqlError(102, token.kind === 'end' ? this.#last() : token.text).at({ line: token.line });
  }

  /** At the end of a batch SQL Server names the last token there was. */
  #last(): string {
    return this.#previous?.text ?? '';
  }

  /** True when a name comes next: quoted, or a word that is not reserved. */
  get atName(): boolean {
    const token = this.peek();
    return token.kind === 'identifier' || (token.kind === 'word' && !reserved.has(token.upper));
  }

  /** A name of one part. */
  name(): string {
    if (!this.atName) throw this.unexpected();
    return this.next().text;
  }

  /** A name that may be written as a text: no longer than other names for that. */
  label(): string {
    const { text, line } = this.next();
    if (text.length > longestName) throw sqlError(103, text.slice(0, longestName), longestName).at({ line });
    return text;
  }

  /** A name of up to four parts: `db.schema.name`, `db..name`. */
  parts(): string[] {
    const parts = [this.name()];
    while (this.accept('.')) {
      while (this.accept('.')) parts.push('');
      parts.push(this.name());
    }
    return parts;
  }

  objectName(): ObjectName {
    const { line } = this;
    const parts = this.accept('.') ? ['', ...(this.accept('.') ? [''] : []), ...this.parts()] : this.parts();
    const [name, schema, database, server] = parts.reverse();
    if (name === undefined || server !== undefined) throw sqlError(7202, server ?? '').at({ line });
    return { name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) };
  }

  /** Runs a step one level deeper; 191 when that is too deep. */
  deeper<T>(step: () => T): T {
    if (this.#depth >= deepest) throw sqlError(191).at({ line: this.line });
    this.#depth++;
    try {
      return step();
    } finally {
      this.#depth--;
    }
  }

  /** Counts the operators of a chain; 191 when there are too many. */
  link(count: number, most = longestChain): void {
    if (count > most) throw sqlError(191).at({ line: this.line });
  }

  declare(name: string, kind: 'scalar' | 'table', line: number): void {
    const at = this.position;
    const before = this.#variables.get(fold(name));
    if (before !== undefined && before.at !== at) throw sqlError(134, name).at({ line });
    this.#variables.set(fold(name), { kind, at });
  }

  /** True when a variable that is a table comes next. */
  get isTable(): boolean {
    const { kind, text } = this.peek();
    return kind === 'variable' && this.#variables.get(fold(text))?.kind === 'table';
  }

  /** A variable that must have been declared: 137, or 1087 for a table. */
  variable(kind: 'scalar' | 'table' = 'scalar'): string {
    const token = this.peek();
    if (token.kind !== 'variable') throw this.unexpected();
    if (this.#variables.get(fold(token.text))?.kind !== kind) {
      throw (kind === 'table' ? sqlError(1087, token.text) : sqlError(137, token.text)).at({ line: token.line });
    }
    return this.next().text;
  }

  /** Runs a step with separate variables: the body of a procedure. */
  withVariables<T>(step: () => T): T {
    const outer = this.#variables;
    const own = this.#scopes.get(this.position) ?? new Map();
    this.#scopes.set(this.position, own);
    this.#variables = own;
    try {
      return step();
    } finally {
      this.#variables = outer;
    }
  }

  /** The batch as written, from a token to the last one that was taken. */
  textSince({ start }: Token): string {
    return ownPart(this.#source, start, this.#previous?.end ?? start);
  }

  /** The batch as written, from a token to its end. */
  textFrom({ start }: Token): string {
    return ownPart(this.#source, start);
  }

  /** Jumps to the end of the batch. */
  skipRest(): void {
    const { line } = this;
    const end = this.#source.length;
    this.#seen.length = this.#at;
    this.#seen.push({ kind: 'end', text: '', upper: '', line, start: end, end });
  }
}
