import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { FileFetcher } from './file-fetcher.ts';
import { HttpFetcher, type HttpOptions } from './http-fetcher.ts';
import { isPrivate } from './private-addresses.ts';
import { RobotsOfHosts } from './robots-of-hosts.ts';

const never = new AbortController().signal;
const usual: HttpOptions = {
  userAgent: 'Granary/0 (test)',
  connections: 4,
  connectTimeout: 60_000,
  timeout: 60_000,
  largest: 10_000,
  isTrusted: () => true,
};

/** Serves for a moment, with a fetcher for it. */
async function withServer(
  answer: RequestListener,
  work: (origin: string, fetcher: HttpFetcher) => Promise<void>,
  options: Partial<HttpOptions> = {},
): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using fetcher = new HttpFetcher({ ...usual, ...options });
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, fetcher);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a document comes decompressed, with its type, its validators and what it asks of robots', () =>
  withServer(
    ({ url, headers }, response) => {
      assert.equal(headers['user-agent'], 'Granary/0 (test)');
      const bodies: Record<string, readonly [string, Buffer]> = {
        '/gzip': ['gzip', gzipSync('text')],
        '/br': ['br', brotliCompressSync('text')],
        '/zstd': ['zstd', zstdCompressSync('text')],
        '/raw': ['deflate', deflateRawSync('text')],
      };
      const [encoding, body] = bodies[url ?? ''] ?? ['identity', Buffer.from('text')];
      response.writeHead(200, {
        'content-type': 'Text/HTML; charset="koi8-r"',
        'content-encoding': encoding,
        etag: '"1"',
        'last-modified': 'Tue, 15 Nov 1994 12:45:26 GMT',
        'x-robots-tag': 'noindex',
      });
      response.end(body);
    },
    async (origin, fetcher) => {
      for (const path of ['/', '/gzip', '/br', '/zstd', '/raw']) {
        const found = await fetcher.fetch(origin + path, {}, never);
        assert.ok(found.what === 'content');
        assert.deepEqual(
          [Buffer.from(found.body).toString(), found.mediaType, found.charset, found.etag, found.modified, found.tags],
          ['text', 'text/html', 'koi8-r', '"1"', 784903526000, { noIndex: true, noFollow: false }],
          path,
        );
      }
    },
  ));

test('an encoding that means none leaves the document as it is, and headers may be as long as browsers let them be', () =>
  withServer(
    ({ url }, response) => {
      const encoding = url?.slice(1) ?? '';
      response.writeHead(200, { 'content-encoding': encoding, 'content-security-policy': 'x'.repeat(100_000) });
      response.end('text');
    },
    async (origin, fetcher) => {
      for (const encoding of ['identity', 'none', 'UTF-8', 'binary']) {
        const found = await fetcher.fetch(`${origin}/${encoding}`, {}, never);
        assert.ok(found.what === 'content', encoding);
        assert.equal(Buffer.from(found.body).toString(), 'text', encoding);
      }
    },
  ));

test('a redirect beyond ASCII is read as UTF-8, or as Latin-1 where it is none', () =>
  withServer(
    ({ url }, response) => {
      const location = Buffer.from('/grüße', url === '/utf8' ? 'utf8' : 'latin1').toString('latin1');
      response.writeHead(301, { location }).end();
    },
    async (origin, fetcher) => {
      for (const path of ['/utf8', '/latin1']) {
        const found = await fetcher.fetch(origin + path, {}, never);
        assert.deepEqual(found, { what: 'redirect', to: `${origin}/gr%C3%BC%C3%9Fe` }, path);
      }
    },
  ));

test('a document that is as it was comes as 304, and a redirect is only told', () =>
  withServer(
    ({ url, headers }, response) => {
      if (url === '/old') return response.writeHead(302, { location: '/new' }).end();
      const isSame = headers['if-none-match'] === '"1"' && headers['if-modified-since'] === 'then';
      return response.writeHead(isSame ? 304 : 200).end();
    },
    async (origin, fetcher) => {
      const known = { etag: '"1"', lastModified: 'then' };
      assert.deepEqual(await fetcher.fetch(`${origin}/`, known, never), { what: 'notModified' });
      assert.deepEqual(await fetcher.fetch(`${origin}/old`, {}, never), { what: 'redirect', to: `${origin}/new` });
    },
  ));

test('RFC 9110 15.4.5: a 304 that was not asked for is no document, and an error', () =>
  withServer(
    (_, response) => response.writeHead(304).end(),
    async (origin, fetcher) => {
      await assert.rejects(fetcher.fetch(origin, {}, never), { kind: 'badRequest', message: /answered 304/ });
    },
  ));

test('MS-SQLPGAT2 2.2.1.11: every failure has its code, and says whether another try may help', () =>
  withServer(
    ({ url }, response) => {
      if (url === '/cut')
        return void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy());
      if (url === '/large') return void response.end('x'.repeat(10_001));
      if (url === '/bomb')
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1e6)));
      if (url === '/layers') {
        const packed = Array.from({ length: 6 }).reduce((body: Buffer) => gzipSync(body), Buffer.from('x'));
        return void response.writeHead(200, { 'content-encoding': 'gzip, '.repeat(6) }).end(packed);
      }
      if (url === '/odd') return void response.writeHead(200, { 'content-encoding': 'rot13' }).end('x');
      response.writeHead(Number(url?.slice(1))).end();
    },
    async (origin, fetcher) => {
      const expected: readonly (readonly [string, string, number, boolean])[] = [
        ['/404', 'notFound', 0x80041201, false],
        ['/410', 'notFound', 0x80041201, false],
        ['/403', 'accessDenied', 0x80041205, false],
        ['/500', 'serverError', 0x80041206, true],
        ['/429', 'serverError', 0x80041206, true],
        ['/400', 'badRequest', 0x80041202, false],
        ['/cut', 'communication', 0x80041200, true],
        ['/large', 'tooLarge', 0x800700df, false],
        ['/bomb', 'tooLarge', 0x800700df, false],
        ['/layers', 'unreadable', 0x8007000d, false],
        ['/odd', 'unreadable', 0x8007000d, false],
      ];
      for (const [path, kind, code, mayPass] of expected) {
        await assert.rejects(fetcher.fetch(origin + path, {}, never), { kind, hresult: code | 0, mayPass }, path);
      }
    },
  ));

test('an answer that is cut off is told in words, without the codes of a library', () =>
  withServer(
    (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    async (origin, fetcher) => {
      await assert.rejects(fetcher.fetch(origin, {}, never), { kind: 'communication', message: 'other side closed' });
    },
  ));

test('MS-SQLPGAT2 2.2.1.11: an answer that does not come in time is a failure that another try may help', () =>
  withServer(
    () => {},
    async (origin, fetcher) => {
      const late = { kind: 'timeout', hresult: 0x80072ee2 | 0, mayPass: true };
      await assert.rejects(fetcher.fetch(origin, {}, never), late);
    },
    { timeout: 200 },
  ));

test('RFC 9110 10.2.3: a server that says when to come again is heard, within limits', () =>
  withServer(
    ({ url }, response) => response.writeHead(429, { 'retry-after': decodeURIComponent(url?.slice(1) ?? '') }).end(),
    async (origin, fetcher) => {
      const waits = async (text: string) =>
        fetcher.fetch(`${origin}/${encodeURIComponent(text)}`, {}, never).catch(({ retryAfter }) => retryAfter);
      assert.deepEqual(
        [await waits('3'), await waits('99999'), await waits('soon'), await waits(new Date(0).toUTCString())],
        [3000, 120_000, undefined, undefined],
      );
      const wait = await waits(new Date(Date.now() + 60_000).toUTCString());
      assert.ok(wait > 0 && wait <= 60_000, String(wait));
    },
  ));

test('who cancels a fetch gets his own reason', () => {
  const reason = new Error('enough');
  const cancel = new AbortController();
  return withServer(
    () => cancel.abort(reason),
    async (origin, fetcher) => {
      await assert.rejects(fetcher.fetch(origin, {}, cancel.signal), reason);
      await assert.rejects(fetcher.fetch(origin, {}, AbortSignal.abort(reason)), reason);
    },
  );
});

test('addresses that are not on the public Internet are known in every spelling', () => {
  const closed =
    '127.0.0.1 127.9.9.9 10.0.0.1 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 ::';
  const wrapped =
    '::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1:: fe80::1%eth0 fd00::1 2001:db8::1 fec0::1';
  for (const address of `${closed} ${wrapped}`.split(' ')) assert.ok(isPrivate(address), address);
  for (const address of '8.8.8.8 172.32.0.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808'.split(' ')) {
    assert.ok(!isPrivate(address), address);
  }
});

test('no host with a private address is reached, whatever its name, unless a start address names it with its port', () => {
  let asked = 0;
  return withServer(
    (_, response) => {
      asked++;
      response.end();
    },
    async (origin) => {
      const { port, host } = new URL(origin);
      await using fetcher = new HttpFetcher({
        ...usual,
        isTrusted: (each) => each === `trusted.example:${port}`,
        resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      });
      const trusting: string[] = [];
      const isTrusted = (host: string) => trusting.push(host) < 0;
      await using other = new HttpFetcher({ ...usual, isTrusted });
      await assert.rejects(other.fetch(`http://[::1]:${port}/`, {}, never), { kind: 'privateAddress' });
      assert.deepEqual(trusting, [`[::1]:${port}`], 'as a start address would name it');
      for (const url of [`http://rebound.example:${port}/`, `http://${host}/`, `http://[::ffff:127.0.0.1]:${port}/`]) {
        await assert.rejects(fetcher.fetch(url, {}, never), { kind: 'privateAddress' }, url);
      }
      assert.equal(asked, 0);
      await fetcher.fetch(`http://trusted.example:${port}/`, {}, never);
      assert.equal(asked, 1);
    },
  );
});

test('RFC 9309 2.3.1: robots.txt is fetched once; without one everything is allowed, while it fails nothing is crawled', () => {
  let status = 404;
  let asked = 0;
  return withServer(
    (_, response) => {
      asked++;
      response.writeHead(status).end('User-agent: *\nDisallow: /x');
    },
    async (origin, fetcher) => {
      assert.equal((await new RobotsOfHosts(fetcher).of(origin, never)).allows(`${origin}/x`), true);
      status = 503;
      await assert.rejects(new RobotsOfHosts(fetcher).of(origin, never), { kind: 'serverError' });
      status = 200;
      const robots = new RobotsOfHosts(fetcher);
      asked = 0;
      for (const _ of [1, 2]) assert.equal((await robots.of(origin, never)).allows(`${origin}/x`), false);
      assert.equal(asked, 1);
    },
  );
});

test('RFC 9309 2.3.1.4: a robots.txt that fails for a moment is asked for again, at once or when its server says', () => {
  let asked = 0;
  let fails = 2;
  return withServer(
    (_, response) => {
      asked++;
      if (fails-- <= 0) response.end('User-agent: *\nDisallow: /x');
      else if (fails === 10) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.destroy();
    },
    async (origin, fetcher) => {
      const robots = new RobotsOfHosts(fetcher);
      assert.equal((await robots.of(origin, never)).allows(`${origin}/x`), false);
      assert.equal(asked, 3);
      const others = new RobotsOfHosts(fetcher);
      fails = 11;
      await assert.rejects(others.of(origin, never), { kind: 'serverError', retryAfter: 1000 });
      fails = 0;
      await assert.rejects(others.of(origin, never), { kind: 'serverError' });
      assert.equal(asked, 4);
      await delay(1100);
      assert.equal((await others.of(origin, never)).allows(`${origin}/x`), false);
    },
  );
});

test('RFC 9309 2.3.1.4: a robots.txt that is there and cannot be read forbids everything, and is told as the reason', () =>
  withServer(
    (_, response) => void response.end('x'.repeat(10_001)),
    (origin, fetcher) =>
      assert.rejects(new RobotsOfHosts(fetcher).of(origin, never), {
        kind: 'tooLarge',
        message: /^robots\.txt of the host: /,
      }),
  ));

test('who waits for a robots.txt that another asked for gets it, also when that one is cancelled', () => {
  const cancel = new AbortController();
  let asked = 0;
  return withServer(
    (_, response) => {
      if (asked++ === 0) cancel.abort();
      else response.end();
    },
    async (origin, fetcher) => {
      const robots = new RobotsOfHosts(fetcher);
      const first = assert.rejects(robots.of(origin, cancel.signal), { name: 'AbortError' });
      assert.equal((await robots.of(origin, never)).allows(origin), true);
      await first;
      assert.equal(asked, 2);
    },
  );
});

test('a tree of files is listed and read, and nothing outside of it, whatever leads there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'granary-files-'));
  try {
    const root = join(folder, 'root');
    await mkdir(join(root, 'sub folder'), { recursive: true });
    await writeFile(join(root, 'a.txt'), 'grain');
    await writeFile(join(folder, 'outside.txt'), 'secret');
    await symlink(join(folder, 'outside.txt'), join(root, 'link.txt'));
    const url = pathToFileURL(`${root}/`).href;
    const missing = pathToFileURL(`${folder}/missing/`).href;
    const files = new FileFetcher({ roots: () => [missing, url], largest: 100 });
    const listed = await files.fetch(url);
    assert.ok(listed.what === 'folder');
    assert.deepEqual(
      listed.entries.map(({ url: entry, isFolder }) => [entry, isFolder]),
      [
        [`${url}a.txt`, false],
        [`${url}sub%20folder/`, true],
      ],
    );
    const read = await files.fetch(`${url}a.txt`);
    assert.ok(read.what === 'content');
    assert.equal(Buffer.from(read.body).toString(), 'grain');
    await assert.rejects(files.fetch(`${url}link.txt`), { kind: 'accessDenied' });
    await assert.rejects(files.fetch(`${url}%2e%2e/outside.txt`), { kind: 'accessDenied' });
    await assert.rejects(files.fetch(`${url}none`), { kind: 'notFound' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
