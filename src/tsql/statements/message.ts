import { setTimeout as sleep } from 'node:timers/promises';
import { extentOf } from '../../base/messages/extent.ts';
import { messages } from '../../base/messages/messages.ts';
import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Raise, StatementOf, Throw, WaitFor } from '../../syntax/ast/statement.ts';
import { convert } from '../../tds/convert/convert.ts';
import { familyOf } from '../../tds/convert/families.ts';
import * as t from '../../tds/types/index.ts';
import type { TypedValue } from '../../tds/types/sql-type.ts';
import { fillMessage } from '../../values/format-message.ts';
import type { Frame } from '../frame.ts';
import { evaluate, evaluateAs } from './assign.ts';
import { type Completion, ended, next } from './completion.ts';
import { Failure } from './failure.ts';

/** PRINT: a message without a number. */
export async function runPrint(statement: StatementOf<'print'>, frame: Frame): Promise<Completion> {
  const { type, value } = await evaluate(statement.value, frame);
  const text = value === null ? ' ' : String(convert(value, type, t.nvarchar('max'), { implicit: false }));
  const where = { procedure: frame.procedure, line: statement.line };
  frame.sink.info({ number: 0, severity: 0, state: 1, text: text.slice(0, 8000), ...where });
  frame.host.state.rowCount = 0;
  return ended(frame.sink, { command: 'print' });
}

/** RAISERROR: an error that does not end a batch, even under XACT_ABORT, or a message. */
export async function runRaise(statement: Raise, frame: Frame): Promise<Completion> {
  const message = await evaluate(statement.message, frame);
  const wanted = Number(await evaluateAs(statement.severity, t.int, frame));
  const severity = Math.min(25, Math.max(0, wanted === -1 ? ownSeverity(message) : wanted));
  const given = Number(await evaluateAs(statement.state, t.int, frame));
  const state = given < 0 ? 1 : Math.min(255, given);
  if (statement.args.length > 20) throw sqlError(2747, 20);
  const args = [];
  for (const arg of statement.args) args.push(await evaluate(arg, frame));
  if (severity > 18 && !(statement.options.includes('LOG') && frame.host.identity.isAdministrator))
    throw sqlError(2754, 18);
  const { number, text } = messageOf(message, severity, state);
  const filled = fillMessage(text, args);
  const where = { procedure: frame.procedure, line: statement.line };
  if (severity > 10) {
    const before = severity < 20 ? [] : [sqlError(2745, frame.host.identity.spid, number, severity).at(where)];
    const error = new SqlError(number, filled, { severity, state, ...where, before });
    const ends = severity < 20 ? 'statement' : 'connection';
    throw new Failure(error, { ends, isUrgent: statement.options.includes('NOWAIT') });
  }
  frame.sink.info({ number, severity, state, text: filled, ...where });
  frame.host.state.error = statement.options.includes('SETERROR') ? number : 0;
  frame.host.state.rowCount = 0;
  frame.sink.done({ command: 'raiserror' });
  if (statement.options.includes('NOWAIT')) await frame.sink.sendNow?.();
  return next;
}

const known = (number: unknown) => Object.entries(messages).find(([key]) => Number(key) === Number(number))?.[1];

/** The severity for -1: that of the server's own message. */
const ownSeverity = ({ type, value }: TypedValue): number =>
  familyOf(type.name) === 'text' ? 0 : (known(value)?.severity ?? 0);

/** A number identifies a message of the server; any text is message 50000. */
function messageOf({ type, value }: TypedValue, severity: number, state: number): { number: number; text: string } {
  if (familyOf(type.name) === 'text') return { number: 50_000, text: String(value ?? '') };
  const number = Number(value);
  if (number < 13_000) throw sqlError(2732, number, 13_000, 2_147_483_647);
  const message = known(number);
  if (message === undefined) throw sqlError(18_054, number, severity, state);
  return { number, text: message.text };
}

/** THROW: an error of severity 16; without arguments, the one that CATCH is handling. */
export async function runThrow(statement: Throw, frame: Frame): Promise<Completion> {
  if (statement.error === undefined) {
    const again = frame.caught.at(-1);
    if (again === undefined) throw sqlError(10_704);
    throw thrown(again, frame);
  }
  const number = Number(await evaluateAs(statement.error.number, t.int, frame));
  const text = String((await evaluateAs(statement.error.message, t.nvarchar(2048), frame)) ?? '');
  const state = Number(await evaluateAs(statement.error.state, t.int, frame));
  if (number < 50_000) throw sqlError(35_100, number, 2_147_483_647);
  const error = new SqlError(number, text, { severity: 16, state, procedure: frame.procedure, line: statement.line });
  throw thrown(error, frame);
}

/** THROW ends the batch, or the transaction if the error would end that by itself. */
const thrown = (error: SqlError, { host }: Frame): Failure =>
  new Failure(error, { ends: host.options.xactAbort || extentOf(error) === 'transaction' ? 'transaction' : 'batch' });

const dayMs = 86_400_000;

/** WAITFOR DELAY or TIME; a cancellation ends it at once. */
export async function runWaitFor(statement: WaitFor, frame: Frame): Promise<Completion> {
  const { type, value } = await evaluate(statement.value, frame);
  const text = String(convert(value, type, t.varchar(50), { implicit: false, style: 114 }) ?? '');
  const wait =
    statement.unit === 'delay' ? millisecondsOf(text) : untilTime(millisecondsOf(text), frame.host.clock.now());
  try {
    await sleep(wait, undefined, { signal: frame.signal });
  } catch (error) {
    frame.throwIfCancelled();
    throw error;
  }
  return ended(frame.sink, { command: 'waitfor' });
}

function millisecondsOf(text: string): number {
  const found = /^\s*(?:\d{4}-?\d\d-?\d\d[ T])?(\d{1,3}):(\d{1,2})(?::(\d{1,2})(?:[.:](\d{1,3})\d*)?)?\s*$/.exec(text);
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = found ?? [];
  if (found === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) throw sqlError(148, text);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

function untilTime(ofDay: number, now: Date): number {
  const passed = now.getTime() % dayMs;
  return ofDay >= passed ? ofDay - passed : dayMs - passed + ofDay;
}
