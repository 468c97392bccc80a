import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer } from '../support/server.ts';
import { consoleAt } from './console-caller.ts';

describe('what browsers get', () => {
  test('one document with a strict policy; modules without types, kept for ever under an address of their own', async () => {
    await using server = await startServer({ kinds: [], settings: { httpPort: 0 } });
    const at = consoleAt(server);
    const document = await fetch(`${at}/console/overview`);
    const policy = document.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*script-src 'self';.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    assert.equal(document.headers.get('x-content-type-options'), 'nosniff');
    const text = await document.text();
    assert.doesNotMatch(text, /https?:\/\/|<script>|<style/);
    const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    let bytes = text.length;
    for (const path of paths) {
      const response = await fetch(`${at}${path}`);
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('cache-control') ?? '', /immutable/);
      bytes += Number(response.headers.get('content-length'));
      const body = await response.text();
      if (path.endsWith('.ts')) assert.doesNotMatch(body, /^interface |^import type|from '(preact|htm)/m, path);
    }
    assert.ok(bytes < 200_000, `${bytes} bytes for the first view`);
    assert.equal((await fetch(`${at}/console/assets/old/page/main.ts`)).status, 404);
    assert.equal((await fetch(`${at}/console/..%2f..%2fpackage.json`)).status, 200); // a place like any other: the document
    const first = await fetch(`${at}/`, { redirect: 'manual' });
    assert.deepEqual([first.status, first.headers.get('location')], [302, '/console/']);
  });

  test('OpenAPI describes every route by its declaration', async () => {
    await using server = await startServer({ kinds: [], settings: { httpPort: 0 } });
    const described = (await (await fetch(`${consoleAt(server)}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: unknown; requestBody?: unknown }>>;
    };
    assert.equal(described.openapi, '3.1.0');
    assert.deepEqual(Object.keys(described.paths['/api/v1/session'] ?? {}).sort(), ['delete', 'get', 'post']);
    assert.ok(described.paths['/api/v1/session']?.['post']?.requestBody);
  });
});
