import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, ClientError, type Retry, SqlError } from '../../src/granary-client.ts';
import { selfSigned } from '../../src/net/self-signed.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { type MessageWriter, packetTypes } from '../../src/tds/packet/index.ts';
import {
  doneStatus,
  resultWriter,
  tokenTypes,
  writeColMetadata,
  writeDone,
  writeEnvChange,
  writeReturnStatus,
  writeServerMessage,
} from '../../src/tds/token/index.ts';
import { int } from '../../src/tds/types/index.ts';
import { modern } from '../../src/tds/version.ts';
import { until } from '../robustness/support/until.ts';
import { startServer } from '../support/server.ts';
import { hostileServer } from './hostile-server.ts';
import { networkOptions } from './places.ts';

const job = { JobId: 1n, UserToken: Buffer.of(1), Settings: '' };
const all = { ActiveOnly: false, SubmittedOnly: false } as const;
const columns = [{ name: 'n', type: int, nullable: false }];
const is = (code: ClientError['code'], sent: boolean) => (error: unknown) => {
  assert.ok(error instanceof ClientError, String(error));
  assert.deepEqual([error.code, error.sent], [code, sent], error.message);
  return true;
};

/** Answers with an error. */
function fail(writer: MessageWriter, number: number): Buffer {
  writeServerMessage(
    writer.out,
    { number, state: 1, severity: 13, text: 'no', server: 's', procedure: '', line: 1 },
    modern,
  );
  writeDone(writer.out, 'done', { status: doneStatus.error }, modern);
  return writer.end();
}

/** Answers a call as proc_AddJob does. */
function succeed(writer: MessageWriter): Buffer {
  writeReturnStatus(writer.out, 0);
  writeDone(writer.out, 'doneProc', {}, modern);
  return writer.end();
}

describe('a client and a server that fails', () => {
  test('a write whose connection breaks is never sent twice: nobody knows what became of it', async () => {
    await using server = await hostileServer((_, socket) => socket.destroy());
    await using client = Client.create(server.options);
    await assert.rejects(client.call(addJob, job), is('lost', true));
    assert.equal(server.seen.requests, 1);
  });

  test('a read whose connection breaks, also within a row, is tried again', async () => {
    let times = 0;
    await using server = await hostileServer((_, socket, writer) => {
      times += 1;
      writeColMetadata(writer.out, columns, modern);
      resultWriter(columns, modern).writeRow(writer.out, [1]);
      const bytes = writer.end();
      socket.end(bytes.subarray(0, bytes.length - 2));
    });
    const retries: Retry[] = [];
    await using client = Client.create({
      ...server.options,
      retry: { firstDelay: 1, onRetry: (retry) => retries.push(retry) },
    });
    await assert.rejects(client.call(getJobs, all), is('lost', true));
    assert.equal(times, 4);
    assert.deepEqual(
      retries.map(({ attempts }) => attempts),
      [1, 2, 3],
    );
    assert.match(retries[0]?.reason ?? '', /connection was lost, and the request is idempotent/);
  });

  test('a transaction whose connection breaks is tried again, unless its commit was sent: nobody knows what became of it', async () => {
    let requests = 0;
    // Every connection is let begin; the first breaks with the work, the second with the commit.
    await using server = await hostileServer(({ type }, socket, writer) => {
      requests += 1;
      if (requests === 2 || requests === 5) return void socket.destroy();
      if (type !== packetTypes.transaction) return void socket.write(succeed(writer));
      writeEnvChange(writer.out, { kind: 'begin', transaction: 1n });
      writeDone(writer.out, 'done', {}, modern);
      socket.write(writer.end());
    });
    const reasons: string[] = [];
    const retry = { firstDelay: 1, onRetry: ({ reason }: Retry) => void reasons.push(reason) };
    await using client = Client.create({ ...server.options, retry });
    const done = client.transaction((transaction) => transaction.call(addJob, job));
    await assert.rejects(done, is('lost', true));
    assert.deepEqual(reasons, ['the connection was lost, and no commit had been sent']);
    assert.equal(requests, 5);
  });

  test('a deadlock is tried again, with the reason; any other error is not', async () => {
    for (const [number, requests] of [
      [1205, 3],
      [3960, 3],
      [547, 1],
    ] as const) {
      let left = 2;
      await using server = await hostileServer((_, socket, writer) => {
        socket.write(left-- > 0 ? fail(writer, number) : succeed(writer));
      });
      await using client = Client.create(server.options);
      const done = client.call(addJob, job);
      if (requests === 3) assert.equal((await done).outcome, 'added');
      else await assert.rejects(done, (error) => error instanceof SqlError && error.number === number);
      assert.equal(server.seen.requests, requests);
    }
  });

  test('what is away is tried again only so long, so that whoever has waited is told; a deadlock is tried again even then', async () => {
    for (const [number, longest, requests] of [
      [40613, undefined, 4],
      [40613, 0, 1],
      [1205, 0, 4],
    ] as const) {
      await using server = await hostileServer((_, socket, writer) => void socket.write(fail(writer, number)));
      const retry = { ...server.options.retry, ...(longest !== undefined && { longest }) };
      await using client = Client.create({ ...server.options, retry });
      await assert.rejects(client.call(addJob, job), { number });
      assert.equal(server.seen.requests, requests, `${number} within ${longest}`);
    }
  });

  test('bytes that are no TDS, and answers that nobody declared, are errors of the protocol', async () => {
    await using garbage = await hostileServer((_, socket) => socket.write(Buffer.alloc(64, 0xff)));
    await using one = Client.create(garbage.options);
    await assert.rejects(one.call(getJobs, all), is('protocol', true));
    await using other = await hostileServer((_, socket, writer) => {
      writeReturnStatus(writer.out, 77);
      writeDone(writer.out, 'doneProc', {}, modern);
      socket.write(writer.end());
    });
    await using two = Client.create(other.options);
    await assert.rejects(two.call(addJob, job), is('protocol', true));
  });

  test('a response without its end, or with an error that it does not name, is no success', async () => {
    const lies: Readonly<Record<string, (writer: MessageWriter) => void>> = {
      'nothing at all': () => {},
      'no DONE': ({ out }) => writeReturnStatus(out, 0),
      'a DONE that announces more': ({ out }) => writeDone(out, 'doneProc', { status: doneStatus.more }, modern),
      'something after the DONE': ({ out }) => {
        writeDone(out, 'doneProc', {}, modern);
        writeReturnStatus(out, 0);
      },
      'an error without its text': ({ out }) => writeDone(out, 'doneProc', { status: doneStatus.error }, modern),
      'a row without columns': ({ out }) => {
        out.u8(tokenTypes.row);
        writeDone(out, 'doneProc', {}, modern);
      },
    };
    for (const [name, lie] of Object.entries(lies)) {
      await using server = await hostileServer((_, socket, writer) => {
        lie(writer);
        socket.write(writer.end());
      });
      await using client = Client.create({ ...server.options, retry: { attempts: 1 } });
      await assert.rejects(client.call(addJob, job), is('protocol', true), name);
      await assert.rejects(client.query('select 1'), is('protocol', true), name);
      await assert.rejects(client.streamQuery('select 1').end(), is('protocol', true), name);
    }
  });

  test('a packet size that no packet can have is an error of the protocol', async () => {
    for (const now of ['', 'x', '0', '8', '511', '32768', '-1', '600.5', '4096']) {
      await using server = await hostileServer((_, socket, writer) => {
        writeEnvChange(writer.out, { kind: 'packetSize', now, before: '4096' });
        socket.write(succeed(writer));
      });
      await using client = Client.create(server.options);
      const called = client.call(addJob, { ...job, Settings: 'x'.repeat(10_000) });
      if (now === '4096') assert.equal((await called).outcome, 'added');
      else await assert.rejects(called, is('protocol', true), now);
    }
  });

  test('a server that does not answer is told to stop, and given up when it does not', async () => {
    await using server = await hostileServer(() => {});
    await using client = Client.create({ ...server.options, cancelTimeout: 60 });
    // A machine that stands still for a moment has not asked when the time is over.
    let isSent = false;
    for (let timeout = 300; !isSent; timeout *= 2) {
      await assert.rejects(client.query('select 1', {}, { timeout }), (error) => {
        isSent = error instanceof ClientError && error.sent;
        return error instanceof ClientError && error.code === 'timeout';
      });
    }
    await until('it is told', () => server.seen.attentions === 1);
    const stop = new AbortController();
    const asked = client.call(addJob, job, { signal: stop.signal });
    await until('it is asked', () => server.seen.requests === 2);
    stop.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
    assert.equal(server.seen.connections, 2, 'a connection that did not stop is not used again');
  });

  test('the time limit of requests is that of the begin and the end of a transaction too', async () => {
    const begun = new WeakSet<object>();
    let commits = 0;
    await using server = await hostileServer(({ type }, socket, writer) => {
      if (type === packetTypes.attention) return;
      if (begun.has(socket)) commits += 1;
      else socket.write(succeed(writer));
      begun.add(socket);
    });
    const isLate = (error: unknown) => error instanceof ClientError && error.code === 'timeout';
    // A machine that stands still for a moment has not begun when the time is over.
    for (let requestTimeout = 300; commits === 0; requestTimeout *= 2) {
      await using client = Client.create({ ...server.options, requestTimeout, cancelTimeout: 60 });
      const work = client.session(async (session) => {
        await session.begin();
        await session.commit();
      });
      await assert.rejects(work, isLate);
    }
  });

  test('rows are read no faster than they are taken, and who stops reading cancels', async () => {
    let written = 0;
    const sent = Promise.withResolvers<void>();
    await using server = await hostileServer(async (request, socket, writer) => {
      if (request.type === packetTypes.attention) {
        writeDone(writer.out, 'done', { status: doneStatus.attention }, modern);
        socket.write(writer.end());
        sent.resolve();
        return;
      }
      writeColMetadata(writer.out, columns, modern);
      const rows = resultWriter(columns, modern);
      while (written < 20_000_000 && !socket.destroyed) {
        for (let at = 0; at < 10_000; at++) rows.writeRow(writer.out, [written++]);
        const packets = writer.flush();
        if (packets !== undefined && !socket.write(packets)) {
          const isStalled = await Promise.race([once(socket, 'drain').then(() => false), delay(150).then(() => true)]);
          if (isStalled) break;
        }
      }
    });
    await using client = Client.create(server.options);
    let read = 0;
    for await (const { row } of client.streamQuery('select n from endless')) {
      assert.equal(row['n'], read);
      if (++read === 10) {
        await delay(600);
        break;
      }
    }
    await sent.promise;
    assert.ok(written < 5_000_000, `${written} rows were written before anybody read them`);
    assert.equal(server.seen.attentions, 1);
  });

  test('a connection that is not made in time, and a server that is not there, are told apart', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const options = { host: '127.0.0.1', port, user: 'sa', password: '', database: 'master', retry: { firstDelay: 1 } };
    await assert.rejects(Client.connect({ ...options, connectTimeout: 50 }), is('timeout', false));
    mute.close();
    await assert.rejects(Client.connect({ ...options, port: 1 }), is('connect', false));
  });

  test('a pool lends its connections one by one, and says when none becomes free', async () => {
    const held: (() => void)[] = [];
    await using server = await hostileServer((_, socket, writer) => held.push(() => socket.write(succeed(writer))));
    await using impatient = Client.create({ ...server.options, poolSize: 1, acquireTimeout: 20 });
    const only = impatient.call(addJob, job);
    await until('the only one is there', () => held.length === 1);
    await assert.rejects(impatient.call(addJob, job), is('timeout', false));
    held.shift()?.();
    assert.equal((await only).outcome, 'added');
    const client = Client.create({ ...server.options, poolSize: 1 });
    const first = client.call(addJob, job);
    await until('the first is there', () => held.length === 1);
    const second = client.call(addJob, job);
    held.shift()?.();
    assert.equal((await first).outcome, 'added');
    await until('the second is there', () => held.length === 1);
    held.shift()?.();
    assert.equal((await second).outcome, 'added');
    assert.equal(server.seen.connections, 2, 'one for each client');
    const last = client.call(addJob, job);
    await until('the last is there', () => held.length === 1);
    await client.close();
    await assert.rejects(last, is('closed', true));
    await assert.rejects(client.call(addJob, job), is('closed', false));
  });
});

describe('a client and certificates', () => {
  test('the certificate of the server must be the given one, or signed by it, and have the name', async () => {
    await using server = await startServer({ kinds: [translation] });
    const { cert: foreign } = await selfSigned(['127.0.0.1'], new Date());
    for (const encryption of ['login', 'full', 'strict'] as const) {
      const right = networkOptions(server, 'TranslationServices', encryption);
      const { ca: _, ...unknown } = right;
      await assert.rejects(Client.connect({ ...right, ca: foreign }), is('connect', false));
      await assert.rejects(Client.connect(unknown), is('connect', false));
      await using trusting = await Client.connect({ ...unknown, trustServerCertificate: true });
      assert.equal((await trusting.call(getJobs, all)).outcome, 'done');
      await using named = await Client.connect({ ...right, serverName: 'another.example' });
      assert.equal((await named.call(getJobs, all)).outcome, 'done', 'a certificate that was given needs no name');
    }
    await using refused = await startServer({ kinds: [translation], settings: { encryption: 'required' } });
    const plain = networkOptions(refused, 'TranslationServices', 'off');
    await assert.rejects(Client.connect(plain), is('connect', false));
    await assert.rejects(
      Client.connect({ ...networkOptions(refused, 'TranslationServices', 'full'), password: 'wrong' }),
      (error) => error instanceof SqlError && error.number === 18456,
    );
  });
});
