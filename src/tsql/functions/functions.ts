import { byName } from '../../base/by-name.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { bitFunctions } from './bits.ts';
import { cursorFunctions } from './cursor.ts';
import { dateFunctions } from './date.ts';
import { errorFunctions } from './error.ts';
import { formatFunctions } from './format.ts';
import { hashFunctions } from './hash.ts';
import { hexFunctions } from './hex.ts';
import { jsonFunctions } from './json.ts';
import { loginFunctions } from './logins.ts';
import { mathFunctions } from './math.ts';
import { metadataFunctions } from './metadata.ts';
import { nullFunctions } from './null.ts';
import { propertyFunctions } from './object-properties.ts';
import { objectFunctions } from './objects.ts';
import { stringFunctions } from './string.ts';
import { searchFunctions } from './string-search.ts';
import { systemFunctions } from './system.ts';
import { typeFunctions } from './types.ts';
import { xmlFunctions } from './xml.ts';

/** Every scalar function, by its name in upper case. */
export const functions: Readonly<Record<string, FunctionSpec>> = byName({
  ...stringFunctions,
  ...searchFunctions,
  ...dateFunctions,
  ...bitFunctions,
  ...mathFunctions,
  ...nullFunctions,
  ...objectFunctions,
  ...propertyFunctions,
  ...metadataFunctions,
  ...systemFunctions,
  ...cursorFunctions,
  ...errorFunctions,
  ...formatFunctions,
  ...hashFunctions,
  ...hexFunctions,
  ...jsonFunctions,
  ...loginFunctions,
  ...typeFunctions,
  ...xmlFunctions,
});

/** The functions that need the list of databases. */
export const needDatabases: ReadonlySet<string> = new Set(Object.keys({ ...objectFunctions, ...propertyFunctions }));

/** The functions that need the list of logins. */
export const needLogins: ReadonlySet<string> = new Set(Object.keys(loginFunctions));
