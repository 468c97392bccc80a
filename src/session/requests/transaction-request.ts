import { sqlError } from '../../base/messages/sql-error.ts';
import {
  type Beginning,
  decodeTransactionRequest,
  type TransactionAction,
} from '../../tds/message/transaction-request.ts';
import { type Message, packetTypes } from '../../tds/packet/index.ts';
import { beginTransaction, commitTransaction, rollbackTransaction, saveTransaction } from '../../tsql/transactions.ts';
import type { SessionHost } from '../session-host.ts';
import type { RequestContext } from './request-context.ts';
import type { Response } from './response.ts';

/** Answers a transaction manager request (MS-TDS 2.2.6.9), the drivers' way to begin, commit and roll back. */
export async function runTransactionRequest(
  payload: Buffer,
  { host, response, running }: RequestContext,
): Promise<void> {
  const { action } = decodeTransactionRequest(payload, response.dialect);
  running(`transaction ${action.kind}`);
  await perform(host, action);
  response.done('batch', { command: 'other' });
}

/** Whether a message asks to roll the whole transaction back. */
export const isRollback = ({ type, payload }: Message, { dialect }: Pick<Response, 'dialect'>): boolean =>
  type === packetTypes.transaction && decodeTransactionRequest(payload, dialect).action.kind === 'rollback';

async function perform(host: SessionHost, action: TransactionAction): Promise<void> {
  switch (action.kind) {
    case 'begin':
      return begin(host, action);
    case 'commit':
      await commitTransaction(host);
      return action.thenBegin && begin(host, action.thenBegin);
    case 'rollback':
      await rollbackTransaction(host, action.name || undefined);
      return action.thenBegin && begin(host, action.thenBegin);
    case 'save':
      return saveTransaction(host, action.name);
    case 'dtcAddress':
    case 'propagate':
    case 'promote':
      throw sqlError(8501, host.server.name);
  }
}

async function begin(host: SessionHost, { isolation, name }: Beginning): Promise<void> {
  if (isolation !== 'unchanged') host.options.isolation = isolation;
  await beginTransaction(host, name || undefined);
}
