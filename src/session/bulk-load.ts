import { setImmediate as nextTurn } from 'node:timers/promises';
import { BulkLoadParser } from '../tds/message/bulk-load.ts';
import { bulkInsert } from '../tsql/bulk-insert.ts';
import type { RequestContext } from './request-context.ts';
import { WireSink } from './wire-sink.ts';

/** Milliseconds that a bulk load may keep other sessions waiting. */
const turnLength = 10;

/** Takes the rows that follow an INSERT BULK statement (MS-TDS 2.2.6.1): all of them, or none. */
export async function runBulkLoad(payload: Buffer, { host, response, signal, running }: RequestContext): Promise<void> {
  running('bulk load');
  const collations = host.state.bulk?.columns.map(({ collation }) => collation);
  const parser = new BulkLoadParser(response.dialect, collations);
  parser.push(payload);
  parser.end();
  const first = parser.next(); // the columns are known only now
  const sink = new WireSink(response, host.options, false);
  const count = await bulkInsert(host, parser.columns, rowsOf(parser, first, signal), sink, signal);
  response.done('batch', { command: 'insert bulk', count });
}

async function* rowsOf(
  parser: BulkLoadParser,
  first: readonly unknown[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly unknown[], void> {
  let turnStarted = performance.now();
  for (let row = first; row; row = parser.next()) {
    yield row;
    if (performance.now() - turnStarted < turnLength) continue;
    await nextTurn();
    signal.throwIfAborted();
    turnStarted = performance.now();
  }
}
