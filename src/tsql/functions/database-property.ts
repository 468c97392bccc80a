import { byName } from '../../base/by-name.ts';
import * as t from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';

const text = (value: string): TypedValue => ({ type: t.nvarchar(128), value });
const number = (value: number): TypedValue => ({ type: t.int, value });

/** Properties that are off or do not exist. */
const off = [
  'isansinulldefault isansinullsenabled isansipaddingenabled isansiwarningsenabled isarithmeticabortenabled isautoclose',
  'isautocreatestatisticsincremental isautoshrink isclone isclosecursorsoncommitenabled',
  'isdatabasesuspendedforsnapshotbackup isfulltextenabled isinstandby islocalcursorsdefault',
  'ismemoryoptimizedelevatetosnapshotenabled ismergepublished isnullconcat isnumericroundabortenabled',
  'isparameterizationforced ispublished isquotedidentifiersenabled isrecursivetriggersenabled issubscribed',
  'issyncwithbackup istornpagedetectionenabled isverifiedclone isxtpsupported',
].flatMap((names) => names.split(' '));

/** The properties of every database for DATABASEPROPERTYEX, as in sys.databases; names in lower case. */
export const databaseProperties: Readonly<Record<string, TypedValue>> = byName({
  collation: text('Latin1_General_CI_AS_KS_WS'),
  // Of what Windows can leave out of account, that collation leaves out case alone.
  comparisonstyle: number(1),
  lcid: number(1033),
  sqlsortorder: { type: t.tinyint, value: 0 },
  updateability: text('READ_WRITE'),
  useraccess: text('MULTI_USER'),
  recovery: text('FULL'),
  version: number(904),
  isautocreatestatistics: number(1),
  isautoupdatestatistics: number(1),
  ...Object.fromEntries(off.map((name) => [name, number(0)])),
});

/** The properties that databases differ in. */
export const ownProperties = (isSuspect: boolean, kind: string): Readonly<Record<string, TypedValue>> =>
  byName({
    status: text(isSuspect ? 'SUSPECT' : 'ONLINE'),
    // Granary's own: which procedures the database has.
    granarykind: text(kind),
  });
