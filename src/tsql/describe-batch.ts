import { sqlError } from '../base/messages/sql-error.ts';
import { fold } from '../base/text/collation.ts';
import { inTurns } from '../base/threads/steps.ts';
import type { DescribedColumn } from '../procedure/relations/tsql-view.ts';
import type { Column } from '../procedure/run/sink.ts';
import type { Statement } from '../syntax/ast/statement.ts';
import { variablesIn } from '../syntax/lexer/variables-in.ts';
import { type ParseOptions, parseSteps, readParameters, variablesOf } from '../syntax/parser/parse.ts';
import { int } from '../tds/types/index.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { compileChanges } from './describe-change.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import { interpreter } from './interpreter.ts';
import { underFmtOnly } from './options.ts';
import { declareParameter } from './procedures/table-parameter.ts';
import type { ColumnSource } from './statement-sink.ts';
import { Failure } from './statements/failure.ts';
import { RowTakingSink } from './statements/row-taking-sink.ts';

/** A variable that a batch uses without declaring it, and the type that its context requires. */
interface Undeclared {
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
}

/** Receives only the first result set and the first error. */
class FirstSet extends RowTakingSink {
  set: readonly DescribedColumn[] | undefined;
  #isToldSources = false;

  override columns(columns: readonly Column[]): void {
    this.set ??= columns;
  }

  sources(sources: readonly ColumnSource[]): void {
    if (this.#isToldSources) return;
    this.#isToldSources = true;
    this.set = this.set?.map((column, at): DescribedColumn => ({ ...column, ...originIn(sources[at] ?? {}) }));
  }
}

function originIn({ table, column, isKey = false, isHidden = false }: ColumnSource): Partial<DescribedColumn> {
  if (table === undefined || column === undefined) return {};
  const [name = '', schema, database] = table.name.toReversed();
  const of = { name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) };
  return { origin: { table: of, column, isKey }, isHidden };
}

/** The variables that a text sees from the start. */
type Seen = Pick<ParseOptions, 'variables' | 'tables'>;

async function read({ host, turn }: Frame, text: string, seen: Seen): Promise<readonly Statement[]> {
  const { quotedIdentifier } = host.options;
  return (await inTurns(parseSteps(text, { ...seen, quotedIdentifier }), turn)).statements;
}

/** Compiles a batch as FMTONLY does. */
async function dryRun(host: Host, statements: readonly Statement[], frame: Frame): Promise<void> {
  try {
    await underFmtOnly(host.options, () => frame.within(() => interpreter.statements(statements, frame)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!error.isTold) throw error.error;
  }
}

/** A frame with the declared parameters, and the receiver of its first result set. */
async function begun(host: Host, declarations: string, signal: AbortSignal) {
  const sink = new FirstSet();
  const frame = new Frame(host, sink, signal);
  const params = await readParameters(declarations, frame.turn);
  for (const [at, param] of params.entries()) await declareParameter(param, at + 1, undefined, frame);
  return { sink, frame, params };
}

/** The columns of the first result set that a batch would send; none if it sends no rows. */
export async function firstColumns(
  host: Host,
  text: string,
  { declarations, isBrowsed }: { readonly declarations: string; readonly isBrowsed: boolean },
  signal: AbortSignal,
): Promise<readonly DescribedColumn[]> {
  const { sink, frame, params } = await begun(host, declarations, signal);
  const statements = await read(frame, text, variablesOf(params));
  const { options } = host;
  const { noBrowseTable } = options;
  options.noBrowseTable = isBrowsed;
  try {
    await dryRun(host, statements, frame);
  } finally {
    options.noBrowseTable = noBrowseTable;
  }
  if (sink.set === undefined && sink.failure !== undefined) throw sink.failure;
  return sink.set ?? [];
}

/** The variables that a batch leaves undeclared, with the types that it compares or combines them with. */
export async function undeclaredVariables(
  host: Host,
  text: string,
  declarations: string,
  signal: AbortSignal,
): Promise<readonly Undeclared[]> {
  const { sink, frame, params } = await begun(host, declarations, signal);
  const known = new Set(params.map(({ name }) => fold(name)));
  const names = await inTurns(variablesIn(text, host.options.quotedIdentifier), frame.turn);
  const types = new Map<string, AnyType>();
  for (const name of names.filter((each) => !known.has(fold(each)))) {
    frame.declare(name, int).deduce = (type) => {
      if (!types.has(name)) types.set(name, type);
    };
  }
  const { tables } = variablesOf(params);
  const variables = names.filter((name) => !tables.some((table) => fold(table) === fold(name)));
  const statements = await read(frame, text, { variables, tables });
  await compileChanges(statements, frame);
  await dryRun(host, statements, frame);
  if (sink.failure !== undefined) throw sink.failure;
  return names
    .filter((name) => !known.has(fold(name)))
    .map((name) => {
      const type = types.get(name);
      if (type === undefined) throw sqlError(11502, name);
      return { name, type };
    });
}
