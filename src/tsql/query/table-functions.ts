import { byName } from '../../base/by-name.ts';
import { allCollations, type Collation } from '../../tds/types/collation-name.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import type { PlanColumn } from './plan.ts';

type Columns = Readonly<Record<string, AnyType>>;

/** A function that stands in FROM: its columns, and its rows. */
interface TableFunction {
  /** How many arguments it takes. */
  readonly least: number;
  readonly most: number;
  readonly columns: readonly PlanColumn[];
  rows(): readonly (readonly unknown[])[];
}

const column = (name: string, length: number, nullable: boolean): PlanColumn => ({
  name,
  type: t.nvarchar(length),
  nullable,
});

const sensitive = (word: string, ignored: boolean): string => `${word}-${ignored ? 'in' : ''}sensitive`;

/** `Latin1-General-100, case-insensitive, accent-sensitive, …`, as SQL Server describes a collation. */
function description({ name, comparisonStyle: style, sortId, codePage }: Collation): string {
  const designator = name.replace(/^SQL_/, '').replace(/_(?:CP\d+|BIN2?|C[IS]_A[IS]).*$/, '');
  const parts = [designator.replaceAll('_', '-')];
  if (/_BIN(_|$)/.test(name)) parts.push('binary sort');
  else if (/_BIN2(_|$)/.test(name)) parts.push('binary code point comparison sort');
  else {
    parts.push(sensitive('case', (style & 1) !== 0), sensitive('accent', (style & 2) !== 0));
    parts.push(sensitive('kanatype', (style & 0x10000) !== 0), sensitive('width', (style & 0x20000) !== 0));
  }
  if (/_140_C/.test(name)) parts.push('supplementary characters', sensitive('variation selector', !/_VSS/.test(name)));
  if (/_SC(_|$)/.test(name)) parts.push('supplementary characters');
  if (/_UTF8$/.test(name)) parts.push('UTF8');
  const text = parts.join(', ');
  if (sortId === 0) return text;
  return `${text} for Unicode Data, SQL Server Sort Order ${sortId} on Code Page ${codePage} for non-Unicode Data`;
}

const name = t.nvarchar(128);
const textColumns: Columns = {
  dbid: t.smallint,
  objectid: t.int,
  number: t.smallint,
  encrypted: t.bit,
  text: t.nvarchar('max'),
};

/** A function over what a server here never has: properties of its own, plans, handles of texts, files. */
const empty = (least: number, most: number, columns: Columns): TableFunction => ({
  least,
  most,
  columns: Object.entries(columns).map(([each, type]) => ({ name: each, type, nullable: true })),
  rows: () => [],
});

const nothingOf: Readonly<Record<string, TableFunction>> = {
  dm_exec_sql_text: empty(1, 1, textColumns),
  dm_exec_query_plan: empty(1, 1, {
    dbid: t.smallint,
    objectid: t.int,
    number: t.smallint,
    encrypted: t.bit,
    query_plan: t.xml,
  }),
  dm_io_virtual_file_stats: empty(2, 2, {
    database_id: t.smallint,
    file_id: t.smallint,
    sample_ms: t.bigint,
    num_of_reads: t.bigint,
    num_of_bytes_read: t.bigint,
    io_stall_read_ms: t.bigint,
    io_stall_queued_read_ms: t.bigint,
    num_of_writes: t.bigint,
    num_of_bytes_written: t.bigint,
    io_stall_write_ms: t.bigint,
    io_stall_queued_write_ms: t.bigint,
    io_stall: t.bigint,
    size_on_disk_bytes: t.bigint,
    file_handle: t.varbinary(8),
  }),
  fn_listextendedproperty: empty(7, 7, { objtype: name, objname: name, name, value: t.sqlVariant }),
};

let collations: readonly (readonly unknown[])[] | undefined;

/** The functions that may stand in FROM, by their name in lower case. */
export const tableFunctions: Readonly<Record<string, TableFunction>> = byName({
  ...nothingOf,
  fn_helpcollations: {
    least: 0,
    most: 0,
    columns: [column('name', 128, false), column('description', 1000, false)],
    rows: () => {
      collations ??= allCollations().map((collation) => [collation.name, description(collation)]);
      return collations;
    },
  },
});
