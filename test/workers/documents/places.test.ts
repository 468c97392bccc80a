import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FilePlace } from '../../../src/workers/documents/places/file-place.ts';
import { HttpPlace } from '../../../src/workers/documents/places/http-place.ts';
import { itemUrl } from '../../../src/workers/documents/places/item-url.ts';

const signal = new AbortController().signal;
const reading = { largest: 1000, signal };

let folder: string;
let root: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  root = join(folder, 'root');
  await mkdir(join(root, 'sub'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(root, 'a b.txt'), 'inside');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('The name of an item', () => {
  test('is relative to the root of its group and written as in a URL', () => {
    assert.equal(itemUrl('http://contoso.com', 'Aenean%20nec.docx').href, 'http://contoso.com/Aenean%20nec.docx');
    assert.equal(itemUrl('http://contoso.com/docs', 'a b.docx').href, 'http://contoso.com/docs/a%20b.docx');
    assert.equal(itemUrl('file:///srv/', 'a#1?.docx').href, 'file:///srv/a%231%3F.docx');
    assert.equal(itemUrl('file:///srv/', '100%.docx').href, 'file:///srv/100%25.docx');
    assert.equal(itemUrl('file:///srv/', 'a:b.docx').href, 'file:///srv/a:b.docx');
    assert.equal(itemUrl('/srv/docs', 'a.docx').href, 'file:///srv/docs/a.docx');
    assert.equal(itemUrl(null, 'http://contoso.com/a.docx').href, 'http://contoso.com/a.docx');
  });

  test('does not lead out of its root', () => {
    for (const name of [
      '../a.docx',
      '/a.docx',
      '//evil/a.docx',
      'sub/../../a.docx',
      '%2e%2e/a.docx',
      '..\\a.docx',
      '.',
      '',
    ]) {
      assert.throws(() => itemUrl('http://contoso.com/docs/', name), { kind: 'notAllowed' }, name);
    }
    assert.throws(() => itemUrl('file:///srv/', '..%2fa.docx'), { kind: 'badName' });
    assert.throws(() => itemUrl(null, 'a.docx'), { kind: 'badName' });
  });
});

describe('Files of this machine', () => {
  const place = (except: readonly string[] = []) => new FilePlace({ roots: [root], except });
  const url = (...path: readonly string[]) => pathToFileURL(join(root, ...path));

  test('are read and written below the roots', async () => {
    await place().read(url('a b.txt'), join(folder, 'copy'), reading);
    assert.equal(await readFile(join(folder, 'copy'), 'utf8'), 'inside');
    await place().write(url('sub', 'out.txt'), join(folder, 'copy'), { replace: true, signal });
    assert.equal(await readFile(join(root, 'sub', 'out.txt'), 'utf8'), 'inside');
    await place().write(url('top.txt'), join(folder, 'copy'), { replace: false, signal });
    assert.deepEqual((await readdir(root)).sort(), ['a b.txt', 'sub', 'top.txt']);
  });

  test('are out of reach elsewhere, also by a link, to read and to write', async () => {
    await symlink(join(folder, 'secret.txt'), join(root, 'link.txt'));
    await symlink(folder, join(root, 'way-out'));
    await mkdir(join(root, '.hidden'));
    await writeFile(join(root, '.hidden', 'key.txt'), 'key');
    await writeFile(join(root, 'sub', 'data.txt'), 'data');
    const to = join(folder, 'copy');
    for (const path of ['link.txt', 'way-out/secret.txt', '.hidden/key.txt', 'sub/data.txt']) {
      await assert.rejects(place([join(root, 'sub')]).read(url(path), to, reading), { kind: 'notAllowed' }, path);
    }
    await assert.rejects(place().read(pathToFileURL(join(folder, 'secret.txt')), to, reading), { kind: 'notAllowed' });
    for (const path of ['way-out/new.txt', '.hidden/new.txt']) {
      await assert.rejects(
        place().write(url(path), join(root, 'a b.txt'), { replace: true, signal }),
        { kind: 'notAllowed' },
        path,
      );
    }
    await place().write(url('link.txt'), join(root, 'a b.txt'), { replace: true, signal });
    assert.equal(await readFile(join(folder, 'secret.txt'), 'utf8'), 'secret', 'a link is replaced, not followed');
  });

  test('an output that exists is replaced only when it may be', async () => {
    await writeFile(join(folder, 'new'), 'new');
    const target = url('a b.txt');
    await assert.rejects(place().write(target, join(folder, 'new'), { replace: false, signal }), {
      kind: 'outputExists',
    });
    assert.equal(await readFile(target, 'utf8'), 'inside');
    await place().write(target, join(folder, 'new'), { replace: true, signal });
    assert.equal(await readFile(target, 'utf8'), 'new');
    await assert.rejects(place().write(url('sub'), join(folder, 'new'), { replace: true, signal }), {
      kind: 'outputExists',
    });
    assert.deepEqual((await readdir(root)).sort(), ['a b.txt', 'sub'], 'nothing half done is left');
  });

  test('what is not there is told apart: an input, the folder of an output, a root', async () => {
    await assert.rejects(place().read(url('none.txt'), join(folder, 'copy'), reading), { kind: 'notFound' });
    const from = join(root, 'a b.txt');
    await assert.rejects(place().write(url('gone', 'a.txt'), from, { replace: true, signal }), {
      kind: 'folderMissing',
    });
    await rm(root, { recursive: true });
    await assert.rejects(place().write(url('a.txt'), from, { replace: true, signal }), { kind: 'folderMissing' });
  });

  test('a file of more bytes than are allowed, and what is no file, are refused', async () => {
    await writeFile(join(root, 'large.txt'), 'x'.repeat(1001));
    await assert.rejects(place().read(url('large.txt'), join(folder, 'copy'), reading), { kind: 'tooLarge' });
    await assert.rejects(place().read(url('sub'), join(folder, 'copy'), reading), { kind: 'unreadable' });
  });

  test('what a worker that was killed has left half done is removed', async () => {
    const left = `.granary-999999999-abc@${hostname()}.part`;
    const mine = `.granary-${process.pid}-abc@${hostname()}.part`;
    await writeFile(join(root, left), 'half');
    await writeFile(join(root, mine), 'half');
    const files = place();
    await files.write(url('new.txt'), join(root, 'a b.txt'), { replace: true, signal });
    await files.tidy();
    assert.deepEqual((await readdir(root)).sort(), [mine, 'a b.txt', 'new.txt', 'sub']);
    await chmod(root, 0o700);
  });
});

describe('Documents of web servers', () => {
  test('are got and put, within the roots, as the server lets it be done', async () => {
    const kept = new Map([['/docs/a.txt', 'from the web']]);
    const server = createServer(async (request, response) => {
      const { url: path = '', method, headers } = request;
      if (path === '/docs/moved.txt') return response.writeHead(302, { location: '/docs/a.txt' }).end();
      if (path === '/docs/out.txt') return response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
      if (headers.authorization !== `Basic ${Buffer.from('me:secret').toString('base64')}`)
        return response.writeHead(401).end();
      if (method === 'GET') return kept.has(path) ? response.end(kept.get(path)) : response.writeHead(404).end();
      const body = (await request.toArray()).join('');
      if (headers['if-none-match'] === '*' && kept.has(path)) return response.writeHead(412).end();
      if (path.startsWith('/docs/full/')) return response.writeHead(507).end();
      kept.set(path, body);
      return response.writeHead(201).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const at = (path: string) => new URL(`http://127.0.0.1:${port}${path}`);
    const docs = new URL(`http://me:secret@127.0.0.1:${port}/docs/`);
    await using place = new HttpPlace({ roots: [docs], userAgent: 'test', connectTimeout: 5000, timeout: 30_000 });
    const to = (name: string) => join(folder, name);
    await place.read(at('/docs/a.txt'), to('1'), reading);
    await place.read(at('/docs/moved.txt'), to('2'), reading);
    assert.equal(await readFile(to('2'), 'utf8'), 'from the web');
    await assert.rejects(place.read(at('/docs/out.txt'), to('3'), reading), { kind: 'notAllowed' });
    await assert.rejects(place.read(at('/docs/none.txt'), to('4'), reading), { kind: 'notFound' });
    await assert.rejects(place.read(at('/docs/a.txt'), to('5'), { largest: 3, signal }), { kind: 'tooLarge' });
    await place.write(at('/docs/new.txt'), to('1'), { replace: false, signal });
    assert.equal(kept.get('/docs/new.txt'), 'from the web');
    await assert.rejects(place.write(at('/docs/new.txt'), to('1'), { replace: false, signal }), {
      kind: 'outputExists',
    });
    await assert.rejects(place.write(at('/docs/full/a'), to('1'), { replace: true, signal }), { kind: 'diskFull' });
    server.close();
    server.closeAllConnections();
    await assert.rejects(place.read(at('/docs/a.txt'), to('6'), reading), { kind: 'unreachable' });
  });
});
