import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/text/collation.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import { numberedIndexes } from '../../procedure/relations/numbered-indexes.ts';
import type { TableKey, TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import { familyOf, isUnicode } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { tableNamed as tableOfClient } from '../storage/object-place.ts';
import { seeingNulls, simple } from './define.ts';
import { factsOf, findByName, type ObjectFacts } from './object-facts.ts';

type Property<T> = (of: T) => boolean | number | undefined;
/** What nothing is or has, by names in lower case. */
const never = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, () => false]));
const isTable = ({ type }: ObjectFacts) => type === 'U';
const hasKey = (kind: TableKey['kind']) => (of: ObjectFacts) => of.keys.some((key) => key.kind === kind);

/** What an object may be asked for. */
const objectProperties: Readonly<Record<string, Property<ObjectFacts>>> = byName({
  ...never('cnstiscolumn cnstisnotrepl isdefault isencrypted isextendedproc'),
  ...never('isinlinefunction isscalarfunction issystemtable istablefunction istrigger'),
  ...never('tableistemporaltable tabletemporaltype'),
  cnstisclustkey: ({ isClustered }) => isClustered,
  cnstisdisabled: ({ isDisabled = false }) => isDisabled,
  cnstisnonclustkey: ({ isClustered }) => (isClustered === undefined ? undefined : !isClustered),
  cnstisnottrusted: ({ isDisabled = false }) => isDisabled,
  execisansinullson: ({ type }) => type === 'P',
  execisquotedidenton: ({ type }) => type === 'P',
  isansinullson: () => true,
  ischeckcnst: ({ type }) => type === 'C',
  isconstraint: ({ type }) => ['PK', 'UQ', 'D', 'F', 'C'].includes(type),
  isdefaultcnst: ({ type }) => type === 'D',
  isexecuted: ({ type }) => type === 'P',
  isforeignkey: ({ type }) => type === 'F',
  isindexed: ({ keys }) => keys.length > 0,
  ismsshipped: ({ schema }) => schema === 'sys' || schema === 'INFORMATION_SCHEMA',
  isprimarykey: ({ type }) => type === 'PK',
  isprocedure: ({ type }) => type === 'P',
  isquotedidenton: () => true,
  isschemabound: ({ isSchemaBound = false }) => isSchemaBound,
  istable: isTable,
  isuniquecnst: ({ type }) => type === 'UQ',
  isusertable: isTable,
  isview: ({ type }) => type === 'V',
  ownerid: () => 1,
  tablehasclustindex: ({ keys }) => keys.some(({ isClustered }) => isClustered),
  tablehasforeignkey: ({ refers }) => refers,
  tablehasidentity: ({ columns }) => columns.some(({ identity }) => identity !== undefined),
  tablehasindex: ({ keys }) => keys.length > 0,
  tablehasprimarykey: hasKey('PRIMARY KEY'),
  tablehasuniquecnst: hasKey('UNIQUE KEY'),
});

interface Placed extends TemporaryColumn {
  readonly at: number;
}

/** What a column may be asked for. */
const columnProperties: Readonly<Record<string, Property<Placed>>> = byName({
  ...never('generatedalwaystype iscursortype isdeterministic isfulltextindexed ishidden isidnotforrepl'),
  ...never('isrowguidcol issparse iscolumnset isxmlindexable'),
  allowsnull: ({ nullable }) => nullable,
  charmaxlen: ({ type }) => {
    if (familyOf(type.name) !== 'text') return undefined;
    return isUnicode(type.name) && type.maxLength > 0 ? type.maxLength / 2 : type.maxLength;
  },
  columnid: ({ at }) => at + 1,
  iscomputed: ({ isComputed = false }) => isComputed,
  isidentity: ({ identity }) => identity !== undefined,
  isindexable: () => true,
  isprecise: () => true,
  precision: ({ type }) => type.precision,
  scale: ({ type }) => type.scale,
  usesansitrim: () => true,
});

const answer = <T>(known: Readonly<Record<string, Property<T>>>, property: unknown, of: T | undefined) => {
  const found = of === undefined ? undefined : known[String(property).toLowerCase()]?.(of as T);
  return found === undefined ? null : Number(found);
};

const tableNamed = (context: Context, name: unknown): ObjectFacts | undefined =>
  factsOf(context, findByName(context, String(name)) ?? 0);

function columnNamed(of: ObjectFacts | undefined, name: unknown): Placed | undefined {
  const at = of?.columns.findIndex((column) => fold(column.name) === fold(String(name))) ?? -1;
  const column = of?.columns[at];
  return column && { ...column, at };
}

/** The indexes of a table by their numbers. */
const indexesOf = ({ keys }: ObjectFacts): ReadonlyMap<number, TableKey> =>
  new Map(numberedIndexes(keys).flatMap(({ id, key }) => (key === undefined ? [] : [[id, key] as const])));

const indexProperties: Readonly<Record<string, Property<readonly [number, TableKey]>>> = byName({
  ...never('isdisabled isfulltextkey ishypothetical ispadindex ispagelockdisallowed isrowlockdisallowed'),
  ...never('isstatistics'),
  indexid: ([id]) => id,
  indexfillfactor: () => 0,
  isclustered: ([id]) => id === 1,
  isunique: ([, { isUnique }]) => isUnique,
});

const identityPart = (part: 'seed' | 'increment') =>
  simple('text', t.numeric(38, 0), ([name], context) => {
    const identity = tableNamed(context, name)?.columns.find((column) => column.identity)?.identity;
    return identity === undefined ? null : { unscaled: identity[part], scale: 0 };
  });

/** The last number that a row of a table was given, or the seed; undefined where no column numbers rows. */
function lastIdentity(text: string, context: Context): bigint | undefined {
  const { host } = context.frame;
  const name = parseObjectName(text);
  if (name === undefined) return undefined;
  const made = tableOfClient(name, host);
  if (made !== undefined) return made.lastIdentity;
  return context.known.lastNumbers.get(fold(name.database ?? host.database))?.get(findByName(context, text) ?? 0);
}

/** PARSENAME numbers the parts of a name from its end. */
function partOf(text: string, wanted: number): string | null {
  if (text.length > longestName) return null;
  const matches = [...text.matchAll(/(?:\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^.[\]"]*))(\.|$)/gy)];
  if (matches.reduce((length, [whole]) => length + whole.length, 0) !== text.length) return null;
  // The end of the text also matches, as an empty part.
  if (matches.length > 1 && !text.endsWith('.')) matches.pop();
  const parts = matches.map(
    ([, bracketed, quoted, plain = '']) => bracketed?.replaceAll(']]', ']') ?? quoted?.replaceAll('""', '"') ?? plain,
  );
  if (parts.length > 4 || parts.some((part) => part.length > 128)) return null;
  return parts.at(-wanted) || null;
}

/** The most characters that a name of four parts has, with brackets and every one of them doubled. */
const longestName = 4 * (2 * 128 + 2) + 3;

/** What everybody who may use a database may do there. */
const everybodys = new Set(['any', 'connect', 'select', 'view definition']);

function isThere(context: Context, securable: string): boolean {
  if (securable.length > longestName) return false;
  const name = parseObjectName(securable);
  const wanted = fold(name?.schema === undefined && name?.database === undefined ? (name?.name ?? '') : securable);
  return context.known.databases.some(({ name }) => fold(name) === wanted) || findByName(context, securable) !== null;
}

function mayDo(context: Context, securable: unknown, permission: string): number | null {
  const { isAdministrator } = context.frame.host.identity;
  if (securable !== null && !isThere(context, String(securable))) return null;
  if (isAdministrator) return 1;
  const known = securable === null ? ['connect sql', 'view any database'] : [...everybodys];
  return known.includes(permission.trim().toLowerCase()) ? 1 : 0;
}

/** The functions about the properties of objects. */
export const propertyFunctions: Readonly<Record<string, FunctionSpec>> = {
  OBJECTPROPERTY: simple('int, text', t.int, ([id, property], context) =>
    answer(objectProperties, property, factsOf(context, Number(id))),
  ),
  OBJECTPROPERTYEX: simple('int, text', t.sqlVariant, ([id, property], context) => {
    const of = factsOf(context, Number(id));
    if (of && fold(String(property)) === 'basetype') return { type: t.char(2), value: of.type.padEnd(2) };
    const value = answer(objectProperties, property, of);
    return value === null ? null : { type: t.int, value };
  }),
  COLUMNPROPERTY: simple('int, text, text', t.int, ([id, column, property], context) =>
    answer(columnProperties, property, columnNamed(factsOf(context, Number(id)), column)),
  ),
  INDEXPROPERTY: simple('int, text, text', t.int, ([id, name, property], context) => {
    const of = factsOf(context, Number(id));
    const found = of && [...indexesOf(of)].find(([, key]) => fold(key.name) === fold(String(name)));
    return answer(indexProperties, property, found);
  }),
  INDEX_COL: simple('text, int, int', t.nvarchar(128), ([table, index, key], context) => {
    const of = tableNamed(context, table);
    return (of && indexesOf(of).get(Number(index))?.columns[Number(key) - 1]) ?? null;
  }),
  COL_NAME: simple('int, int', t.nvarchar(128), ([id, column], context) => {
    const of = factsOf(context, Number(id));
    return of?.type === 'P' ? null : (of?.columns[Number(column) - 1]?.name ?? null);
  }),
  COL_LENGTH: simple(
    'text, text',
    t.smallint,
    ([table, column], context) => columnNamed(tableNamed(context, table), column)?.type.maxLength ?? null,
  ),
  IDENT_SEED: identityPart('seed'),
  IDENT_INCR: identityPart('increment'),
  IDENT_CURRENT: simple('text', t.numeric(38, 0), ([text], context) => {
    const last = lastIdentity(String(text), context);
    return last === undefined ? null : { unscaled: last, scale: 0 };
  }),
  HAS_PERMS_BY_NAME: seeingNulls('text, text, text, text?, text?', t.int, ([securable, , permission], context) =>
    permission === null ? null : mayDo(context, securable, String(permission)),
  ),
  // No assembly is ever there to be asked about.
  ASSEMBLYPROPERTY: simple('text, text', t.sqlVariant, () => null),
  FULLTEXTSERVICEPROPERTY: simple('text', t.int, () => 0),
  FULLTEXTCATALOGPROPERTY: simple('text, text', t.int, () => null),
  XML_SCHEMA_NAMESPACE: simple('text, text, text?', t.xml, () => null),
  // Policies and managed backups, as tools ask for them in msdb, are never on.
  FN_SYSPOLICY_IS_AUTOMATION_ENABLED: simple('', t.bit, () => false),
  FN_IS_MASTER_SWITCH_ON: simple('', t.bit, () => false),
  OBJECT_DEFINITION: simple(
    'int',
    t.nvarchar('max'),
    ([id], context) => factsOf(context, Number(id))?.definition ?? null,
  ),
  PARSENAME: simple('text, int', t.nvarchar(128), ([name, part]) =>
    Number(part) < 1 || Number(part) > 4 ? null : partOf(String(name), Number(part)),
  ),
};
