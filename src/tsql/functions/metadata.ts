import { byName } from '../../base/by-name.ts';
import { fold } from '../../base/text/collation.ts';
import { collationNamed } from '../../tds/types/collation-name.ts';
import * as t from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { allSwitches } from '../options.ts';
import { simple } from './define.ts';
import { fixedPrincipals } from './fixed-principals.ts';

function collationProperty(name: string, property: string): TypedValue | null {
  const collation = collationNamed(name);
  if (collation === undefined) return null;
  const { codePage, locale, comparisonStyle, version, sortId } = collation;
  const known: Readonly<Record<string, number>> = byName({
    codepage: codePage,
    lcid: locale,
    comparisonstyle: comparisonStyle,
    version,
    sortid: sortId,
  });
  const value = known[property.toLowerCase()];
  return value === undefined ? null : { type: t.int, value };
}

/** The files and the filegroup that every database has, as sys.database_files and sys.filegroups list them. */
const fileNames = ({ frame }: Context): readonly string[] => [frame.host.database, `${frame.host.database}_log`];
const filegroup = 'PRIMARY';

const indexIn = (names: readonly string[], name: unknown): number | null =>
  names.findIndex((each) => fold(each) === fold(String(name))) + 1 || null;

const fileProperties: Readonly<Record<string, (id: number) => number>> = byName({
  islogfile: (id) => Number(id === 2),
  isprimaryfile: (id) => Number(id === 1),
  isreadonly: () => 0,
  // How much of a file is used is unknown.
  spaceused: () => 0,
});

const number = (value: number): TypedValue => ({ type: t.int, value });
const text = (value: string): TypedValue => ({ type: t.nvarchar(128), value });

/** A login that is used is neither locked nor expired. */
const loginProperties: Readonly<Record<string, TypedValue>> = byName({
  badpasswordcount: number(0),
  defaultdatabase: text('master'),
  defaultlanguage: text('us_english'),
  historylength: number(0),
  isexpired: number(0),
  islocked: number(0),
  ismustchange: number(0),
});

/** The functions about files, filegroups and statistics, of which Granary has what SQL Server’s lists need. */
const storageFunctions: Readonly<Record<string, FunctionSpec>> = {
  FILE_NAME: simple('int', t.nvarchar(128), ([id], context) => fileNames(context)[Number(id) - 1] ?? null),
  FILE_ID: simple('name', t.smallint, ([name], context) => indexIn(fileNames(context), name)),
  FILE_IDEX: simple('name', t.int, ([name], context) => indexIn(fileNames(context), name)),
  FILEPROPERTY: simple('name, name', t.int, ([name, property], context) => {
    const id = indexIn(fileNames(context), name);
    return id === null ? null : (fileProperties[String(property).toLowerCase()]?.(id) ?? null);
  }),
  FILEGROUP_NAME: simple('int', t.nvarchar(128), ([id]) => (Number(id) === 1 ? filegroup : null)),
  FILEGROUP_ID: simple('name', t.int, ([name]) => indexIn([filegroup], name)),
  FILEGROUPPROPERTY: simple('name, name', t.int, ([name, property]) => {
    const known = byName({ isreadonly: 0, isuserdefinedfg: 0, isdefault: 1 });
    return indexIn([filegroup], name) === null ? null : (known[String(property).toLowerCase()] ?? null);
  }),
  // An engine's statistics are its own: there is no date of SQL Server's.
  STATS_DATE: simple('int, int', t.datetime, () => null),
};

/** The functions about collations, principals, files and the options of the session. */
export const metadataFunctions: Readonly<Record<string, FunctionSpec>> = {
  COLLATIONPROPERTY: simple('name, name', t.sqlVariant, ([name, property]) =>
    collationProperty(String(name), String(property)),
  ),
  ...storageFunctions,
  DATABASE_PRINCIPAL_ID: simple(
    'name?',
    t.int,
    ([name], { frame }) => fixedPrincipals[String(name ?? frame.host.identity.user).toLowerCase()] ?? null,
  ),
  LOGINPROPERTY: simple('name, name', t.sqlVariant, ([name, property], { frame }) => {
    // Other logins are not shown here; sys.sql_logins lists them.
    const isKnown = [frame.host.identity.login, 'sa'].some((login) => fold(login) === fold(String(name)));
    return isKnown ? (loginProperties[String(property).toLowerCase()] ?? null) : null;
  }),
  SESSIONPROPERTY: simple('name', t.sqlVariant, ([name], { frame }) => {
    const wanted = String(name).toUpperCase();
    const known = allSwitches.find((each) => each.isProperty && each.name === wanted);
    return known === undefined ? null : number(Number(frame.host.options[known.option]));
  }),
};
