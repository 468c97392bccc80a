import { formatMessage, sqlError } from '../../base/messages/sql-error.ts';
import type { Dbcc } from '../../syntax/ast/statement.ts';
import { nvarchar, smallint } from '../../tds/types/index.ts';
import type { Frame } from '../frame.ts';
import { allSwitches, type SessionOptions } from '../options.ts';
import { type Completion, ended, next, sendSet } from './completion.ts';

const traceColumns = ['TraceFlag', 'Status', 'Global', 'Session'].map((name) => ({
  name,
  type: smallint,
  nullable: true,
}));

const columns = ['Set Option', 'Value'].map((name) => ({ name, type: nvarchar(128), nullable: true }));

function* userOptions(options: SessionOptions): Generator<readonly [string, string]> {
  yield ['textsize', String(options.textSize)];
  yield ['language', options.language];
  yield ['dateformat', options.dateFormat];
  yield ['datefirst', String(options.dateFirst)];
  yield ['lock_timeout', String(options.lockTimeout)];
  for (const { name, option, bit } of allSwitches)
    if (bit !== undefined && options[option]) yield [name.toLowerCase(), 'SET'];
  yield ['isolation level', options.isolation];
}

/**
 * DBCC USEROPTIONS lists the options that SET has set, TRACESTATUS lists trace flags; all other commands are for files
 * that do not exist here: 2526.
 */
export async function runDbcc({ command, quiet, line }: Dbcc, { host, sink }: Frame): Promise<Completion> {
  if (command !== 'USEROPTIONS' && command !== 'TRACESTATUS') throw sqlError(2526);
  // No trace flag means anything here, so none is ever on.
  host.state.rowCount = await (command === 'TRACESTATUS'
    ? sendSet(sink, traceColumns, [])
    : sendSet(sink, columns, userOptions(host.options)));
  if (quiet) return next;
  sink.info({ number: 2528, severity: 10, state: 1, text: formatMessage(2528, []), line });
  return ended(sink, { command: 'other' });
}
