import { byName } from '../../base/by-name.ts';
import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { ownValue } from '../../base/text/own-part.ts';
import type { Assign, SetOption } from '../../syntax/ast/statement.ts';
import type { DateOrder } from '../../tds/convert/parse-date.ts';
import * as t from '../../tds/types/index.ts';
import { languageOf } from '../../values/languages.ts';
import type { Frame } from '../frame.ts';
import { allSwitches, type IsolationLevel, isolationLevels, type SessionOptions, type Switch } from '../options.ts';
import { tableById, tableNamed } from '../storage/object-place.ts';
import { assigned, evaluate, evaluateAs } from './assign.ts';
import { type Completion, ended, next } from './completion.ts';

const switches: ReadonlyMap<string, Switch> = new Map(allSwitches.map(({ name, option }) => [name, option]));

/** Options that only report how a statement ran and change no answer, and one that the parser sets. */
const ignored = new Set([
  'REMOTE_PROC_TRANSACTIONS',
  'STATISTICS IO',
  'STATISTICS TIME',
  'STATISTICS PROFILE',
  'STATISTICS XML',
  'DISABLE_DEF_CNST_CHK',
  'FIPS_FLAGGER',
  'QUERY_GOVERNOR_COST_LIMIT',
  'QUOTED_IDENTIFIER',
]);

/** SET @variable = value. */
export async function runAssign({ variable: name, operator, value }: Assign, frame: Frame): Promise<Completion> {
  const variable = frame.variable(name);
  const expression =
    operator === undefined
      ? value
      : ({ kind: 'binary', operator, left: { kind: 'variable', name }, right: value } as const);
  variable.value = ownValue(await evaluateAs(expression, variable.type, frame));
  assigned(frame);
  return next;
}

/** SET option value. */
export async function runSetOption(statement: SetOption, frame: Frame): Promise<Completion> {
  const [name = ''] = statement.names;
  if (name === 'IDENTITY_INSERT') setIdentityInsert(statement, frame);
  else if (name === 'ANSI_DEFAULTS') setAnsiDefaults(frame.host.options, statement.value === 'ON');
  else if (typeof statement.value === 'string' && (statement.value === 'ON' || statement.value === 'OFF'))
    switchAll(statement, frame);
  else await setValue(name, await givenValue(statement, frame), frame);
  frame.host.state.rowCount = 0;
  return ended(frame.sink, { command: 'set' });
}

const givenValue = async ({ value }: SetOption, frame: Frame): Promise<unknown> =>
  typeof value === 'string' ? value : (await evaluate(value, frame)).value;

function switchAll({ names, value }: SetOption, frame: Frame): void {
  for (const name of names) {
    const option = switches.get(name);
    if (ignored.has(name)) continue;
    if (name === 'SHOWPLAN_XML') refusePlanAsXml(value === 'ON');
    else if (option === undefined) throw sqlError(195, name, 'SET option');
    else frame.host.options[option] = value === 'ON';
  }
}

/** Who asks for a plan must not have the statement run instead. */
function refusePlanAsXml(isOn: boolean): void {
  if (isOn) throw ruleBroken('Plans are available with SET SHOWPLAN_TEXT ON or SET SHOWPLAN_ALL ON, but not in XML.');
}

function setAnsiDefaults(options: SessionOptions, on: boolean): void {
  const all = [
    'ansiNulls',
    'ansiNullDefaultOn',
    'ansiPadding',
    'ansiWarnings',
    'cursorCloseOnCommit',
    'implicitTransactions',
    'quotedIdentifier',
  ] as const;
  for (const option of all) options[option] = on;
  options.ansiDefaults = on;
}

function setIdentityInsert({ table: name = { name: '' }, value }: SetOption, frame: Frame): void {
  const { state } = frame.host;
  const table = tableNamed(name, frame.host);
  if (table === undefined) throw sqlError(1088, name.name);
  if (table.columns.every(({ identity }) => identity === undefined)) throw sqlError(8106, name.name);
  const isOn = state.identityInsert === table.objectId;
  if (value === 'OFF') {
    if (isOn) state.identityInsert = undefined;
    return;
  }
  const other = isOn || state.identityInsert === undefined ? undefined : tableById(state.identityInsert, frame.host);
  if (other !== undefined) throw sqlError(8107, other.database, other.schema, other.name, name.name);
  state.identityInsert = table.objectId;
}

const orders = new Set<string>(['mdy', 'dmy', 'ymd', 'ydm', 'myd', 'dym']);
const priorities: Readonly<Record<string, number>> = byName({ low: -5, normal: 0, high: 5 });

function isOrder(word: string): word is DateOrder {
  return orders.has(word);
}

async function setValue(name: string, value: unknown, frame: Frame): Promise<void> {
  const { options, state } = frame.host;
  const number = (): number => {
    if (value === null || !Number.isInteger(Number(value))) throw sqlError(1023, String(value), name);
    return Number(value);
  };
  const word = String(value).toLowerCase();
  switch (name) {
    case 'DATEFIRST':
      if (number() < 1 || number() > 7) throw sqlError(2742, String(value));
      options.dateFirst = number();
      options.dateFirstIsSet = true;
      return;
    case 'DATEFORMAT':
      if (!isOrder(word)) throw sqlError(2741, word);
      options.dateFormat = word;
      options.dateFormatIsSet = true;
      return;
    case 'LANGUAGE':
      setLanguage(String(value), frame);
      return;
    case 'LOCK_TIMEOUT':
      options.lockTimeout = number();
      return;
    case 'ROWCOUNT':
      options.rowCount = Math.max(0, number());
      return;
    case 'TEXTSIZE':
      options.textSize = textSize(number(), frame);
      return;
    case 'DEADLOCK_PRIORITY':
      options.deadlockPriority = priorities[word] ?? number();
      return;
    case 'CONTEXT_INFO':
      state.contextInfo = contextInfo(value);
      return;
    case 'TRANSACTION ISOLATION LEVEL':
      if (Object.hasOwn(isolationLevels, word)) options.isolation = word as IsolationLevel;
      return;
    default:
      if (!ignored.has(name)) throw sqlError(195, name, 'SET option');
  }
}

/** 0 is the default, -1 no limit. */
function textSize(size: number, { host: { connection } }: Frame): number {
  if (size === 0) return 4096;
  return size < 0 && !connection.knowsNoLimit ? 2_147_483_647 : size;
}

function contextInfo(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw sqlError(257, 'varchar', t.varbinary(128).name);
  const bytes = new Uint8Array(128);
  bytes.set(value.slice(0, 128));
  return bytes;
}

/** A language brings its order of dates and its first day of the week, unless the client has set them itself. */
function setLanguage(name: string, { host, sink }: Frame): void {
  const language = languageOf(name);
  if (language === undefined) throw sqlError(2740, name);
  const { options } = host;
  options.language = language.name;
  if (!options.dateFormatIsSet) options.dateFormat = language.dateFormat;
  if (!options.dateFirstIsSet) options.dateFirst = language.dateFirst;
  sink.info({ number: 5703, severity: 0, state: 1, text: `Changed language setting to ${language.name}.` });
}
