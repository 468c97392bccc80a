import { atOnce, inTurns, type Steps } from '../../base/threads/steps.ts';
import type { Turn } from '../../base/threads/turn.ts';
import { isTableType } from '../../tds/types/table-type.ts';
import type { PreparedParam, Statement } from '../ast/statement.ts';
import { Lexer } from '../lexer/tokenize.ts';
import { parameterType } from './data-type.ts';
import { executeWithoutKeyword } from './execute.ts';
import { condition, expression, node } from './expression.ts';
import { query } from './query.ts';
import { statement, statementWords } from './statement.ts';
import { type Grammar, TokenStream } from './token-stream.ts';

/** From this length on a list of declarations is read in turns. */
const longList = 20_000;

const grammar: Grammar = { expression, condition, node, query, statement, statementWords };

/** A batch as the interpreter runs it. */
interface Batch {
  readonly statements: readonly Statement[];
}

/** How a batch is to be read. */
export interface ParseOptions {
  /** Variables that are declared beforehand: the parameters of sp_executesql. */
  readonly variables?: Iterable<string>;
  /** The tables among such parameters. */
  readonly tables?: Iterable<string>;
  /** SET QUOTED_IDENTIFIER; on by default. */
  readonly quotedIdentifier?: boolean;
  /** True for the text of a cursor of the API, which may say FOR UPDATE. */
  readonly isForCursor?: boolean;
}

/** What a tree takes for each of its tokens, about. */
const bytesPerToken = 150;
const sizes = new WeakMap<readonly Statement[], number>();

/** The approximate memory of the statements of a batch. */
export const treeSize = (statements: readonly Statement[]): number => sizes.get(statements) ?? 0;

const quoting = new WeakMap<readonly Statement[], boolean>();

/** What a batch sets QUOTED_IDENTIFIER to, if it does: the last SET in it, whether that is run or not. */
export const quotedIdentifierSetBy = (statements: readonly Statement[]): boolean | undefined => quoting.get(statements);

/** Reads a batch of T-SQL; throws the SqlError of the first thing that is wrong with it. */
export const parse = (text: string, options: ParseOptions = {}): Batch => atOnce(parseSteps(text, options, true));

/** Reads a batch statement by statement; what is read `atOnce` must not be longer than one statement may be. */
export function* parseSteps(text: string, options: ParseOptions = {}, once = false): Steps<Batch> {
  const { variables = [], tables = [], quotedIdentifier = true, isForCursor = false } = options;
  const cursor = new TokenStream(text, new Lexer(text, quotedIdentifier), grammar, variables, isForCursor);
  for (const name of tables) cursor.declare(name, 'table', 1);
  const statements: Statement[] = [];
  if (!once) yield* cursor.readAhead();
  yield* semicolons(cursor);
  const first = yield* whole(cursor, executeWithoutKeyword, once);
  if (first !== undefined) statements.push(first);
  for (;;) {
    if (!once) cursor.beginStatement();
    yield* semicolons(cursor);
    if (!once) yield* cursor.readAhead();
    if (cursor.atEnd) {
      sizes.set(statements, cursor.tokensRead * bytesPerToken);
      if (cursor.setsQuotedIdentifier !== undefined) quoting.set(statements, cursor.setsQuotedIdentifier);
      return { statements };
    }
    statements.push(yield* whole(cursor, statement, once));
    yield;
  }
}

/** Reads a statement; of a long one a stretch at a time. */
function* whole<T>(cursor: TokenStream, read: (cursor: TokenStream) => T, once: boolean): Steps<T> {
  if (once) return read(cursor);
  for (;;) {
    const found = cursor.attempt(() => read(cursor));
    if (found !== undefined) return found.value;
    yield;
  }
}

function* semicolons(cursor: TokenStream): Steps<void> {
  for (let count = 1; cursor.accept(';'); count++) {
    if (count % 1000 !== 0) continue;
    cursor.beginStatement();
    yield;
  }
}

/** The parameters as a text sees them. */
export function variablesOf(params: readonly PreparedParam[]): { variables: string[]; tables: string[] } {
  const names = (areTables: boolean): string[] =>
    params.flatMap(({ name, type }) => (isTableType(type) === areTables ? [name] : []));
  return { variables: names(false), tables: names(true) };
}

/** Reads the declaration list of sp_executesql: `@a int, @b nvarchar(20) = N'' OUTPUT`. */
export const parseParameters = (text: string): PreparedParam[] => atOnce(parameterSteps(text, true));

/** The same in turns, for long texts of clients; the server's own are short. */
export const readParameters = (text: string, turn: Turn): PreparedParam[] | Promise<PreparedParam[]> =>
  text.length < longList ? parseParameters(text) : inTurns(parameterSteps(text), turn);

/** Reads a declaration list stretch by stretch. */
export function* parameterSteps(text: string, once = false): Steps<PreparedParam[]> {
  const cursor = new TokenStream(text, new Lexer(text), grammar, []);
  if (!once) yield* cursor.readAhead();
  if (cursor.atEnd) return [];
  const params = yield* whole(cursor, (from) => from.list(() => parameter(from)), once);
  if (!cursor.atEnd) throw cursor.unexpected();
  return params;
}

function parameter(cursor: TokenStream): PreparedParam {
  const token = cursor.next();
  if (token.kind !== 'variable') throw cursor.unexpected();
  const type = parameterType(cursor, token);
  return { name: token.text, type, output: cursor.accept('OUTPUT') || cursor.accept('OUT') };
}
