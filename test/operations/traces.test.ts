import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { jsonLog } from '../../src/base/log/log.ts';
import { Count, Family } from '../../src/base/log/measures.ts';
import { TraceExporter } from '../../src/operations/trace-exporter.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { noHeaders } from '../../src/tds/message/all-headers.ts';
import { writeSqlBatch } from '../../src/tds/message/index.ts';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { RawClient, written } from '../robustness/support/raw-client.ts';
import { until } from '../robustness/support/until.ts';
import { startServer } from '../support/server.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

/** A collector that keeps what it gets. */
class Collector implements AsyncDisposable {
  readonly server: Server;
  readonly spans: Span[] = [];
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  status = 200;

  constructor() {
    this.server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request));
      this.requests.push({ path: request.url ?? '', headers: request.headers });
      if (this.status === 200) {
        for (const { scopeSpans } of body.resourceSpans) for (const { spans } of scopeSpans) this.spans.push(...spans);
      }
      response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
    });
  }

  async listen(): Promise<URL> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const attribute = ({ attributes }: Span, key: string): string | undefined => {
  const value = attributes.find((each) => each.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const activity = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

describe('traces', () => {
  test('a span a call with procedure, database and outcome, in the client’s own trace', async () => {
    await using collector = new Collector();
    const traceCollector = await collector.listen();
    const settings = { traceCollector, traceHeaders: new Map([['x-key', 'secret']]) };
    await using server = await startServer({ kinds: [translation], settings });
    await using client = await server.connect('TranslationServices');
    await client.query('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0');
    await client.query(`exec sp_set_session_context N'traceparent', N'00-${traceId}-${parentId}-01'`);
    await client.query(`exec proc_AddJob @JobId = 1, @UserToken = 0x, @Settings = N'<s/>'`);
    await assert.rejects(client.query(`exec proc_AddJob @JobId = 1, @UserToken = 0x, @Settings = N'<s/>'`), {
      number: 2627,
    });
    await client.query(`exec sp_set_session_context N'traceparent', N'00-${traceId}-${parentId}-00'`);
    await client.query('exec proc_HasActiveJobs');
    await using raw = await RawClient.login(server.port, { database: 'TranslationServices' });
    const headers = { ...noHeaders, activity: { id: activity, sequence: 7 } };
    raw.send(
      packetTypes.sqlBatch,
      written((out) => writeSqlBatch(out, 'exec proc_GetJobs 0, 0', raw.dialect, headers)),
    );
    await raw.tokens();
    await until('the spans come', () => collector.spans.some((span) => span.traceId === activity.replaceAll('-', '')));
    const own = collector.spans.filter(({ name }) => / proc_/.test(name));
    assert.deepEqual(
      own.map(({ name }) => name),
      ['EXECUTE proc_GetJobs', 'EXECUTE proc_AddJob', 'EXECUTE proc_AddJob', 'EXECUTE proc_GetJobs'],
      'what its client does not sample is not sent',
    );
    const [first, added, failed, last] = own;
    assert.ok(first && added && failed && last);
    assert.match(first.traceId, /^[0-9a-f]{32}$/);
    assert.equal(first.parentSpanId, undefined);
    assert.equal(first.kind, 2);
    assert.equal(attribute(first, 'db.namespace'), 'TranslationServices');
    assert.equal(attribute(first, 'db.stored_procedure.name'), 'proc_GetJobs');
    assert.ok(BigInt(first.endTimeUnixNano) >= BigInt(first.startTimeUnixNano));
    assert.ok(Math.abs(Number(first.startTimeUnixNano) / 1e6 - Date.now()) < 600_000);
    assert.deepEqual([added.traceId, added.parentSpanId, added.status], [traceId, parentId, {}]);
    assert.equal(failed.status.code, 2);
    assert.deepEqual(
      [attribute(added, 'granary.return_code'), attribute(failed, 'granary.return_code')],
      ['0', undefined],
    );
    assert.match(attribute(failed, 'db.response.status_code') ?? '', /^\d+$/);
    assert.equal(attribute(last, 'granary.client_activity'), activity);
    assert.deepEqual(
      collector.requests.slice(0, 1).map(({ path, headers: sent }) => [path, sent['x-key'], sent['content-type']]),
      [['/v1/traces', 'secret', 'application/json']],
    );
  });

  const call = { database: 'd', procedure: 'p', session: 51, login: 'sa', started: 0, milliseconds: 1 };
  const span = { ...call, status: 0, error: undefined, parent: '', activity: '' };

  /** An exporter to a collector, with what it counts and logs. */
  async function exporterTo(collector: Collector, clock: Clock = systemClock) {
    const lines: string[] = [];
    const spans = new Family(['outcome'], () => new Count());
    const exporter = new TraceExporter({
      collector: await collector.listen(),
      headers: {},
      resource: { 'service.name': 'granary' },
      version: '0',
      spans,
      clock,
      log: jsonLog((line) => lines.push(line)),
    });
    return { exporter, spans, lines };
  }

  test('a collector that is away costs calls nothing: so many spans wait, the others are counted, one line says so', async () => {
    await using collector = new Collector();
    collector.status = 503;
    const { exporter, spans, lines } = await exporterTo(collector);
    for (let i = 0; i < 5000; i++) exporter.called(span);
    assert.equal(spans.of('dropped').value, 5000 - 4096);
    await until('it complains', () => lines.length > 0);
    assert.match(lines[0] ?? '', /the trace collector does not accept spans.*it answered 503/);
    const asked = collector.requests.length;
    collector.status = 200;
    await until('it tries again', () => spans.of('exported').value === 4096);
    assert.ok(collector.requests.length > asked);
    assert.equal(collector.spans.length, 4096);
    assert.equal(lines.length, 1);
    await exporter.stop();
  });

  test('OTLP/HTTP: spans that are refused for good are dropped and counted, and do not keep later ones from being sent', async () => {
    await using collector = new Collector();
    collector.status = 400;
    const { exporter, spans, lines } = await exporterTo(collector);
    for (let i = 0; i < 600; i++) exporter.called(span);
    await until('they are dropped', () => spans.of('dropped').value === 600);
    assert.equal(collector.requests.length, 2, 'each is sent once');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /the trace collector does not accept spans.*it answered 400/);
    collector.status = 200;
    exporter.called(span);
    await until('the next is sent', () => spans.of('exported').value === 1);
    assert.deepEqual([collector.spans.length, spans.of('dropped').value], [1, 600]);
    await exporter.stop();
  });

  test('spans go by the clock as it is, however often it is set, and no trace has the number zero', async () => {
    await using collector = new Collector();
    const clock = new ManualClock();
    const { exporter } = await exporterTo(collector, clock);
    for (const moment of ['2030-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z']) {
      clock.set(moment);
      const started = performance.now() - 60_000;
      exporter.called({ ...span, started, activity: '00000000-0000-0000-0000-000000000000' });
      const known = collector.spans.length;
      await until('the span comes', () => collector.spans.length > known);
      const sent = collector.spans[known];
      const late = Date.parse(moment) - Number(sent?.startTimeUnixNano) / 1e6;
      assert.ok(late >= 60_000 && late < 600_000, `${late} ms`);
      assert.match(sent?.traceId ?? '', /^(?!0{32})[0-9a-f]{32}$/);
    }
    await exporter.stop();
  });

  test('a stop does not wait for a collector that is not there', async () => {
    await using collector = new Collector();
    const traceCollector = await collector.listen();
    collector.server.close();
    await using server = await startServer({
      kinds: [translation],
      log: jsonLog(() => {}),
      settings: { traceCollector },
    });
    await using client = await server.connect('TranslationServices');
    await client.query('exec proc_HasActiveJobs');
    await client[Symbol.asyncDispose]();
    await server.granary.stop();
    collector.server.listen(0);
    await once(collector.server, 'listening');
  });
});
