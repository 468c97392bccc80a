import { sqlError } from '../../base/messages/sql-error.ts';
import { ByteReader } from '../../tds/byte-reader.ts';
import { readAllHeaders } from '../../tds/message/all-headers.ts';
import { type Message, packetTypes } from '../../tds/packet/index.ts';
import { rollbackTransaction } from '../../tsql/transactions.ts';
import type { Response } from '../requests/response.ts';
import type { SessionHost } from '../session-host.ts';

const withHeaders: ReadonlySet<number> = new Set([packetTypes.sqlBatch, packetTypes.rpc, packetTypes.transaction]);

/** With MARS a request names its transaction (MS-TDS 2.2.5.3.2): error 3989 if it is not the current one. */
export function checkDescriptor({ type, payload }: Message, host: SessionHost, { dialect }: Response): void {
  if (!withHeaders.has(type)) return;
  const { transaction } = readAllHeaders(new ByteReader(payload), dialect);
  if (transaction !== host.transactions.descriptor) throw sqlError(3989);
}

/** With MARS a transaction that a batch has begun must end with the batch: error 3997. */
export async function endBatchTransaction(host: SessionHost, response: Response): Promise<void> {
  if (host.transactions.count === 0) return;
  await rollbackTransaction(host);
  response.error(sqlError(3997));
  response.done('batch', { command: 'other', failed: true });
}
