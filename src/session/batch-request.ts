import { ruleBroken } from '../base/sql-error.ts';
import { decodeSqlBatch } from '../tds/message/sql-batch.ts';
import { nvarchar } from '../tds/types/index.ts';
import { runBatch } from '../tsql/run-batch.ts';
import type { RequestContext } from './request-context.ts';
import { tappedRequest } from './tapped-request.ts';

/** Answers SQLBATCH: a batch of T-SQL. */
export async function runBatchRequest(payload: Buffer, request: RequestContext): Promise<void> {
  const { host, response, server, signal } = request;
  if (payload.length > server.limits.maxBatch) {
    throw ruleBroken(`A batch may have ${server.limits.maxBatch} bytes; this one has ${payload.length}.`);
  }
  const { text, headers } = decodeSqlBatch(payload, response.dialect);
  if (headers.activity !== undefined) host.log.activity = headers.activity.id;
  // The text may hold documents: the catalog shows it to its own session and to administrators, and no log does.
  request.running('batch', text);
  const args = [{ name: '@text', type: nvarchar('max'), value: text, output: false, byDefault: false }];
  await tappedRequest(request, { name: 'batch', args, rpc: false }, (sink) => runBatch(host, text, sink, signal));
}
