import { byName } from '../../base/by-name.ts';
import { collationNamed } from '../../tds/types/collation-name.ts';
import * as t from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import type { SessionOptions } from '../options.ts';
import { simple } from './define.ts';

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

type Switch = { [K in keyof SessionOptions]: SessionOptions[K] extends boolean ? K : never }[keyof SessionOptions];
const sessionProperties: Readonly<Record<string, Switch>> = byName({
  ansi_nulls: 'ansiNulls',
  ansi_padding: 'ansiPadding',
  ansi_warnings: 'ansiWarnings',
  arithabort: 'arithAbort',
  concat_null_yields_null: 'concatNullYieldsNull',
  numeric_roundabort: 'numericRoundAbort',
  quoted_identifier: 'quotedIdentifier',
});

/** The functions about collations and the options of the session. */
export const metadataFunctions: Readonly<Record<string, FunctionSpec>> = {
  COLLATIONPROPERTY: simple({
    args: ['text', 'text'],
    returns: t.sqlVariant,
    apply: ([name, property]) => collationProperty(String(name), String(property)),
  }),
  SESSIONPROPERTY: simple({
    args: ['text'],
    returns: t.sqlVariant,
    apply: ([name], { frame }) => {
      const option = sessionProperties[String(name).toLowerCase()];
      return option === undefined ? null : { type: t.int, value: frame.host.options[option] ? 1 : 0 };
    },
  }),
};
