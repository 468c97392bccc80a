import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import { indexOfParams, matchArguments } from '../../procedure/run/match-arguments.ts';
import type { Frame } from '../frame.ts';
import { targetTable } from '../statements/rows.ts';
import { beginImplicitly } from '../statements/transaction.ts';
import { definitionOf } from '../storage/alter-table.ts';
import type { MemoryTable } from '../storage/memory-table.ts';
import { placeOf, placeToDrop, tableNamed } from '../storage/object-place.ts';
import { referrersOf, renameColumn, renameKey, renameTable, renameView } from '../storage/rename.ts';
import { done, type SpecialProcedure, textOf } from './special-call.ts';

const params = indexOfParams([{ name: '@objname' }, { name: '@newname' }, { name: '@objtype' }]);

/** What can be renamed; clients cannot create databases, types and statistics here. */
const kinds = ['OBJECT', 'COLUMN', 'INDEX', 'DATABASE', 'USERDATATYPE', 'STATISTICS'];

/** A part of a name, plain or in brackets or quotes. */
const part = /(?:\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^.[\]"]*))(\.|$)/gy;

/** What a name to be changed refers to. */
interface Meant {
  readonly of: ObjectName;
  readonly table: MemoryTable;
  readonly item: 'table' | 'column' | 'index' | 'constraint';
  readonly name: string;
}

/** sp_rename @objname, @newname, @objtype: for the tables that clients make, their columns, indexes and constraints. */
export const rename: SpecialProcedure = async ({ args, caller, sink, database = caller.host.database }) => {
  const [ofName, ofNew, ofKind] = matchArguments('sp_rename', params, args);
  const text = (place: number | undefined, parameter: string) =>
    textOf(place === undefined ? undefined : args[place], parameter);
  const [name, newName] = [text(ofName, '@objname'), text(ofNew, '@newname').trim()];
  const kind = kindOf(ofKind === undefined ? undefined : args[ofKind]);
  if (newName === '' || newName.length > 128) throw sqlError(15600, 'sys.sp_rename');
  if (await renamedView(name, newName, kind, database, caller)) {
    sink.info(caution);
    return done;
  }
  const meant = find(name, kind, database, caller);
  if (meant === undefined) throw await notFound(name, kind, database, caller);
  const { of, item, name: old } = meant;
  await beginImplicitly(caller);
  const table = await targetTable(of, caller, 'ALTER');
  const { host } = caller;
  for (const { name: referrer, schema } of referrersOf(table, host))
    await targetTable({ name: referrer, schema, database: 'tempdb' }, caller, 'ALTER');
  const placed = { table, place: placeOf(of, host) ?? host.state, host };
  if (item === 'column') await renameColumn(placed, old, newName);
  else if (item === 'table') {
    // A temporary table keeps the suffix that identifies its session.
    if (table.name.startsWith('#') || newName.startsWith('#')) throw sqlError(15600, 'sys.sp_rename');
    await renameTable(placed, newName);
  } else await renameKey(placed, old, newName, item === 'index' ? 'INDEX' : 'object');
  sink.info(caution);
  return done;
};

const caution = { number: 15477, severity: 10, state: 1, text: formatMessage(15477, []) };

/** Gives a view another name if the old one means a view. */
async function renamedView(
  text: string,
  newName: string,
  kind: string | undefined,
  database: string,
  caller: Frame,
): Promise<boolean> {
  if (kind !== undefined && kind !== 'OBJECT') return false;
  const of = nameOf(partsOf(text), database);
  const place = placeToDrop(of, caller.host);
  const view = place?.views.get(fold(of.name));
  if (place === undefined || view === undefined) return false;
  await beginImplicitly(caller);
  renameView(view, newName, place, caller.host);
  return true;
}

function nameOf(parts: readonly string[], database: string): ObjectName {
  const [name = '', schema, inDatabase] = parts.toReversed();
  return { name, database: inDatabase || database, ...(schema ? { schema } : {}) };
}

function kindOf(arg: Argument | undefined): string | undefined {
  if (arg === undefined || arg.value === null) return undefined;
  const kind = String(arg.value).trim().toUpperCase();
  if (!kinds.includes(kind)) throw sqlError(15249, String(arg.value));
  return kind;
}

/** What a name refers to: first as an object, then as a column, then as an index. */
function find(text: string, kind: string | undefined, database: string, { host }: Frame): Meant | undefined {
  const parts = partsOf(text);
  const named = (names: readonly string[]) => nameOf(names, database);
  const last = parts.at(-1) ?? '';
  const object = tableNamed(named(parts), host);
  const isOpen = (each: string) => kind === undefined || kind === each;
  if (isOpen('OBJECT')) {
    if (object !== undefined) return { of: named(parts), table: object, item: 'table', name: last };
    const owner = constraintOwner(last, named(parts), host);
    if (owner !== undefined) return { ...owner, item: 'constraint', name: last };
  }
  const of = named(parts.slice(0, -1));
  const table = parts.length < 2 ? undefined : tableNamed(of, host);
  if (table === undefined) return undefined;
  const isLast = ({ name }: { readonly name: string }) => fold(name) === fold(last);
  if (isOpen('COLUMN') && table.columns.some(isLast)) return { of, table, item: 'column', name: last };
  if (isOpen('INDEX') && table.keys.some(isLast)) return { of, table, item: 'index', name: last };
  return undefined;
}

/** The table that has a constraint of a name. */
function constraintOwner(name: string, { schema, database }: ObjectName, host: Frame['host']) {
  const place = placeOf({ name, ...(schema ? { schema } : {}), ...(database ? { database } : {}) }, host);
  for (const table of place?.tables.values() ?? []) {
    const { checks, references } = definitionOf(table);
    const constraints = [...table.keys.filter(({ kind }) => kind !== 'index'), ...checks, ...references];
    if (constraints.some((each) => each.name !== undefined && fold(each.name) === fold(name)))
      return { of: { name: table.name, schema: table.schema, database: 'tempdb' }, table };
  }
  return undefined;
}

/** The parts of a name, the last of which may be a column's. */
function partsOf(text: string): string[] {
  if (text.length > 2000) return [];
  const matches = [...text.trim().matchAll(part)];
  if (matches.length > 1 && !text.endsWith('.')) matches.pop();
  return matches.map(
    ([, bracketed, quoted, plain = '']) => bracketed?.replaceAll(']]', ']') ?? quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** Why nothing is renamed: the names of a protocol's own tables and procedures are fixed (15247). */
async function notFound(text: string, kind: string | undefined, database: string, { host }: Frame) {
  const [name = '', schema] = partsOf(text).toReversed();
  const own = async (each: string) =>
    (await host.relation({ name: each, database })) !== undefined ||
    (await host.declared({ name: each, database })) !== undefined;
  if ((await own(name)) || (schema !== undefined && schema !== 'dbo' && (await own(schema)))) return sqlError(15247);
  if (kind === 'COLUMN' || kind === 'INDEX') return sqlError(15248, kind);
  return sqlError(15225, text, database, kind ?? '(null)');
}
