import type { Bindable, StoredValue } from '../../base/stored.ts';
import { type BoundKind, kindOf, wholeOrStored } from '../bind.ts';
import type { Compiled } from '../compile.ts';
import { EngineFault } from '../fault.ts';
import { onConflict } from '../on-conflict.ts';
import { quoted } from '../sql.ts';
import { castOf } from './dialect.ts';

/** Rows per statement: enough that round trips do not matter, few enough to need little memory. */
const rowsAtATime = 2000;

/** The statements that insert rows, with one parameter per column holding its values. */
export function* insertStatements(
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Bindable[]>,
  replacing?: readonly string[],
): Generator<Compiled, void> {
  const conflict = onConflict(table, columns, replacing);
  let chunk: (readonly Bindable[])[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < rowsAtATime) continue;
    yield insertOf(table, columns, chunk, conflict);
    chunk = [];
  }
  if (chunk.length > 0) yield insertOf(table, columns, chunk, conflict);
}

function insertOf(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Bindable[])[],
  conflict: string,
): Compiled {
  const parameters: (readonly StoredValue[] | bigint)[] = [BigInt(rows.length)];
  const arrays = ['generate_series(1, $1::bigint)'];
  const picked = columns.map((column, index) => {
    const values = rows.map((row) => row[index] ?? null);
    const kind = kindOfColumn(column, values);
    if (kind === 'null') return 'null';
    parameters.push(values.map(wholeOrStored));
    arrays.push(`unnest($${parameters.length}::${castOf[kind]}[])`);
    return `v${parameters.length}`;
  });
  // The series generates the rows even if every value is NULL, and keeps their order. Rows that may replace others have
  // no generated keys, so they need no order: sorting would take a tenth of the time.
  const order = conflict === '' ? ' order by v1' : '';
  const names = arrays.map((_, index) => `v${index + 1}`).join(', ');
  const text =
    `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) ` +
    `select ${picked.join(', ')} from rows from (${arrays.join(', ')}) as given(${names})${order}${conflict}`;
  return { text, parameters };
}

function kindOfColumn(column: string, values: readonly Bindable[]): BoundKind {
  let kind: BoundKind = 'null';
  for (const value of values) {
    const next = kindOf(value);
    if (next === kind || next === 'null') continue;
    if (kind === 'null') kind = next;
    else if (isNumeric(kind) && isNumeric(next)) kind = 'double';
    else throw new EngineFault(`The column ${column} of an insert mixes ${kind} and ${next}.`);
  }
  return kind;
}

function isNumeric(kind: BoundKind): boolean {
  return kind === 'integer' || kind === 'double';
}
