import { Turn } from '../../base/threads/turn.ts';
import { Cancelled } from '../../procedure/run/fault.ts';
import { BulkLoadParser } from '../../tds/message/bulk-load.ts';
import type { PayloadStream } from '../../tds/packet/index.ts';
import { malformed } from '../../tds/stream-error.ts';
import type { RawRows } from '../../tds/types/raw-rows.ts';
import { bulkInsert } from '../../tsql/bulk-insert.ts';
import { heldBy } from '../transactions/idle-transaction.ts';
import { LoadPace } from './load-pace.ts';
import type { RequestContext } from './request-context.ts';
import { WireSink } from './wire-sink.ts';

/** Thrown when the client aborts the bulk load that it was sending. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

/** Waits for the next bytes of the load. */
type Next = () => Promise<Buffer | undefined>;

const directly = <T>(wait: () => Promise<T>): Promise<T> => wait();

/**
 * Processes the rows that follow an INSERT BULK statement (MS-TDS 2.2.6.1) as they arrive: either all of them are
 * kept, or none.
 */
export async function runBulkLoad(_payload: Buffer, request: RequestContext): Promise<void> {
  const { host, response, server, signal, stream, running, aside = directly } = request;
  if (stream === undefined) throw new Error('a bulk load comes as a stream');
  running('bulk load');
  const parser = new BulkLoadParser(response.dialect, host.state.bulk?.columns, stream.limit);
  const pace = new LoadPace(stream, signal, server.limits, () => heldBy(host) !== undefined);
  const next = () => aside(() => pace.next());
  try {
    const first = await firstRows(parser, stream, next);
    const sink = new WireSink(response, host.options, false);
    const more = () => feed(parser, stream, next);
    const rows = {
      [Symbol.asyncIterator]: () => batches(first, more, () => readRows(parser), signal),
      raw: () => batches(first, more, () => rawRows(parser), signal),
    };
    const count = await bulkInsert(host, parser.columns, rows, sink, signal);
    response.done('batch', { command: 'insert bulk', count });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    response.done('batch', { command: 'other', failed: true });
  } finally {
    host.state.bulk = undefined;
  }
}

/** Reads until the columns are known. */
async function firstRows(parser: BulkLoadParser, stream: PayloadStream, next: Next): Promise<unknown[][]> {
  for (;;) {
    const isMore = await feed(parser, stream, next);
    const rows = rowsOf(parser);
    if (parser.columns.length > 0) return rows;
    if (!isMore) throw malformed('A bulk load must begin with its columns.');
  }
}

async function* batches<Rows>(
  first: unknown[][],
  more: () => Promise<boolean>,
  come: () => Iterable<Rows>,
  signal: AbortSignal,
): AsyncGenerator<unknown[][] | Rows, void> {
  const turn = new Turn(signal);
  yield first;
  for (;;) {
    if (turn.isOver) await turn.giveWay();
    const isMore = await more();
    yield* come();
    if (!isMore) return;
  }
}

/** Feeds the parser with what has arrived; false after the end. */
async function feed(parser: BulkLoadParser, stream: PayloadStream, next: Next): Promise<boolean> {
  const block = await next();
  if (block !== undefined) {
    parser.push(block);
    stream.kept = parser.capacity;
    return true;
  }
  if (stream.ending === 'ignored') throw new TakenBack();
  if (stream.ending === 'cut') throw new Cancelled();
  parser.end();
  return false;
}

function rowsOf(parser: BulkLoadParser): unknown[][] {
  const rows: unknown[][] = [];
  for (let row = parser.next(); row; row = parser.next()) rows.push(row);
  return rows;
}

function* readRows(parser: BulkLoadParser): Generator<unknown[][], void> {
  const rows = rowsOf(parser);
  if (rows.length > 0) yield rows;
}

/** Rows in wire format where possible, decoded row by row where not. */
function* rawRows(parser: BulkLoadParser): Generator<unknown[][] | RawRows, void> {
  for (;;) {
    const raw = parser.nextRaw();
    if (raw !== undefined) yield raw;
    const row = parser.next();
    if (row === undefined) return;
    yield [row];
  }
}
