import { ruleBroken } from '../../base/messages/sql-error.ts';
import { decodeSqlBatch } from '../../tds/message/sql-batch.ts';
import { nvarchar } from '../../tds/types/index.ts';
import { runBatch } from '../../tsql/run-batch.ts';
import type { RequestContext } from './request-context.ts';
import { tappedRequest } from './tapped-request.ts';

/** Runs a SQLBATCH request: a batch of T-SQL. */
export async function runBatchRequest(payload: Buffer, request: RequestContext): Promise<void> {
  const { host, response, server, signal } = request;
  if (payload.length > server.limits.maxBatch) {
    throw ruleBroken(`A batch can have at most ${server.limits.maxBatch} bytes; this one has ${payload.length}.`);
  }
  const { text, headers } = decodeSqlBatch(payload, response.dialect);
  if (headers.activity !== undefined) host.log.activity = headers.activity.id;
  // The text may contain documents: the catalog shows it only to its own session and to administrators, and it is
  // never logged.
  request.running('batch', text);
  const args = [{ name: '@text', type: nvarchar('max'), value: text, output: false, byDefault: false }];
  await tappedRequest(request, { name: 'batch', args, rpc: false }, (sink) => runBatch(host, text, sink, signal));
}
