import { sqlError } from '../../base/messages/sql-error.ts';
import { inTurns } from '../../base/threads/steps.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { Query } from '../../syntax/ast/query.ts';
import type { TransactionStatement } from '../../syntax/ast/statement.ts';
import { namesIn } from '../../syntax/ast/walk.ts';
import { nvarchar } from '../../tds/types/index.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import type { Command } from '../statement-sink.ts';
import { beginTransaction, commitTransaction, rollbackTransaction, saveTransaction } from '../transactions.ts';
import { evaluateAs } from './assign.ts';
import { type Completion, ended } from './completion.ts';

const commands: Record<TransactionStatement['action'], Command> = {
  begin: 'begin transaction',
  commit: 'commit transaction',
  rollback: 'rollback transaction',
  save: 'save transaction',
};

/** BEGIN, COMMIT, ROLLBACK and SAVE TRANSACTION. */
export async function runTransaction(statement: TransactionStatement, frame: Frame): Promise<Completion> {
  const { action, name, isDistributed } = statement;
  const { host } = frame;
  if (isDistributed) throw sqlError(8501, host.server.name);
  const text = typeof name === 'object' ? String((await evaluateAs(name, nvarchar(32), frame)) ?? '') : name;
  if (action === 'begin') await beginTransaction(host, text);
  else if (action === 'commit') await commitTransaction(host);
  else if (action === 'rollback') await rollbackTransaction(host, text);
  else await saveTransaction(host, text ?? '');
  host.state.rowCount = 0;
  return ended(frame.sink, { command: commands[action] });
}

/** Under IMPLICIT_TRANSACTIONS a statement that touches data begins a transaction. */
export async function beginImplicitly({ host }: Frame): Promise<void> {
  if (mayBegin(host)) await beginTransaction(host);
}

/** The same for a query, which touches data if it reads a table or makes one. */
export async function beginToRead(query: Query, frame: Frame): Promise<void> {
  if (!mayBegin(frame.host)) return;
  const { tables } = await inTurns(namesIn(query), frame.turn);
  if (tables.length > 0 || firstSelect(query.body)?.into !== undefined) await beginTransaction(frame.host);
}

const mayBegin = ({ options, transactions }: Host): boolean => options.implicitTransactions && transactions.count === 0;
