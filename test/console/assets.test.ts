import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApi } from '../../src/console/openapi.ts';
import { routes } from '../../src/console/routes.ts';
import { password, startServer } from '../support/server.ts';
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
    assert.equal(((await (await fetch(`${at}/api/v1/openapi.json`)).json()) as { openapi: string }).openapi, '3.1.0');
    const first = await fetch(`${at}/`, { redirect: 'manual' });
    assert.deepEqual([first.status, first.headers.get('location')], [302, '/console/']);
  });

  test('OpenAPI describes every route by its declaration, validly, each under a name of its own', async () => {
    const described = openApi(
      routes.map(({ route }) => route),
      '1.2.3',
    );
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(described)));
    assert.deepEqual([valid, validator.version, errors ?? []], [true, '3.1', []]);
    const { paths } = described as { paths: Record<string, Record<string, { operationId: string }>> };
    const names = Object.values(paths).flatMap((of) => Object.values(of).map(({ operationId }) => operationId));
    assert.equal(new Set(names).size, routes.length);
    assert.ok(names.includes('postJobsDatabaseJobTryAgain'), names.join(' '));
  });

  test('over TLS the cookie is for this host and for TLS alone, and only what comes from that origin may change anything', async () => {
    await using server = await startServer({ kinds: [], settings: { httpPort: 0, httpHost: '0.0.0.0' } });
    const port = Number(new URL(`https://${server.granary.httpAddress}`).port);
    const ask = (method: string, headers: Record<string, string>, body = '') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const path = '/api/v1/session';
        const options = { host: '127.0.0.1', port, path, method, headers, rejectUnauthorized: false };
        request(options, resolve).on('error', reject).end(body);
      });
    const login = JSON.stringify({ login: 'sa', password });
    const type = { 'content-type': 'application/json' };
    const refused = await ask('POST', { ...type, origin: `http://127.0.0.1:${port}` }, login);
    assert.equal(refused.resume().statusCode, 403);
    const entered = await ask('POST', { ...type, origin: `https://127.0.0.1:${port}` }, login);
    const [set = ''] = entered.resume().headers['set-cookie'] ?? [];
    assert.match(set, new RegExp(`^__Host-granary_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure$`));
    const [cookie = ''] = set.split(';');
    assert.equal((await ask('GET', { cookie })).resume().statusCode, 200);
    assert.equal((await ask('GET', { cookie: cookie.replace('__Host-', '') })).resume().statusCode, 401);
  });
});
