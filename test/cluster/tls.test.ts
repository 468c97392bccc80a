import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { Server } from '../../src/engine/postgres/connect/server.ts';
import { PostgresEngine } from '../../src/engine/postgres/engine.ts';
import { selfSigned } from '../../src/net/self-signed.ts';
import { shop } from '../conformance/engine/shop.ts';
import { testPostgres } from '../support/engines.ts';
import { PostgresProcess } from './support/postgres-process.ts';

describe('a PostgreSQL with TLS, whose certificate is for localhost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'granary-tls-'));
  const [authority, stranger] = [join(folder, 'authority.pem'), join(folder, 'stranger.pem')];
  let store: PostgresProcess;

  before(async () => {
    const [own, other] = await Promise.all([selfSigned(['localhost'], new Date()), selfSigned(['other'], new Date())]);
    writeFileSync(authority, own.cert);
    writeFileSync(stranger, other.cert);
    store = await PostgresProcess.make(['ssl=on']);
    store.put('server.crt', own.cert);
    store.put('server.key', own.key);
    await store.start();
  });
  after(async () => {
    await store?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const url = (host: string, parameters: string) => `postgres://granary@${host}:${store.port}/postgres?${parameters}`;
  const encrypted = (host: string, parameters: string) =>
    new Server({ url: url(host, parameters), log: silentLog }).once({ settings: {} }, async ({ client }) => {
      const { rows } = await client.query<{ version: string | null }>(
        'select version from pg_stat_ssl where pid = pg_backend_pid()',
      );
      return rows[0]?.version ?? 'none';
    });

  for (const [host, parameters, version] of [
    ['localhost', () => `sslmode=verify-full&sslrootcert=${authority}`, /TLSv1\.[23]/],
    ['127.0.0.1', () => `sslmode=verify-ca&sslrootcert=${authority}`, /TLSv1\.[23]/],
    ['127.0.0.1', () => 'sslmode=require', /TLSv1\.[23]/],
    ['127.0.0.1', () => 'sslmode=prefer', /TLSv1\.[23]/],
    ['127.0.0.1', () => 'sslmode=disable', /none/],
  ] as const)
    test(`${parameters().replace(/=\/.*\//, '=')} at ${host} is served`, async () => {
      assert.match(await encrypted(host, parameters()), version);
    });

  for (const [host, parameters, why] of [
    ['127.0.0.1', () => `sslmode=verify-full&sslrootcert=${authority}`, /does not match certificate|IP: 127\.0\.0\.1/],
    ['localhost', () => `sslmode=verify-full&sslrootcert=${stranger}`, /self-signed certificate/],
    ['localhost', () => `sslmode=verify-ca&sslrootcert=${stranger}`, /self-signed certificate/],
    ['localhost', () => `sslmode=require&sslrootcert=${stranger}`, /self-signed certificate/],
    ['localhost', () => 'sslmode=verify-full', /self-signed certificate/],
    ['localhost', () => `sslmode=verify-full&sslrootcert=${folder}/none.pem`, /none\.pem of the URL cannot be read/],
  ] as const)
    test(`${parameters().replaceAll(/=\/.*\//g, '=')} at ${host} is refused, and it says why`, async () => {
      await assert.rejects(encrypted(host, parameters()), why);
    });

  test('sslmode=require is refused where the server has no TLS', async () => {
    const server = new Server({ url: `${await testPostgres()}?sslmode=require`, log: silentLog });
    await assert.rejects(
      server.once({ settings: {} }, async () => {}),
      /does not support SSL/,
    );
  });

  test('an engine that verifies works on it, and one that cannot ends at its start without waiting', async () => {
    const options = { schemas: [shop], clock: systemClock, log: silentLog };
    await using engine = new PostgresEngine({
      ...options,
      url: url('localhost', `sslmode=verify-full&sslrootcert=${authority}`),
    });
    await engine.start();
    assert.equal((await engine.create('Shop', 'shop')).name, 'Shop');
    const wrong = new PostgresEngine({
      ...options,
      url: url('localhost', `sslmode=verify-full&sslrootcert=${stranger}`),
    });
    await assert.rejects(wrong.start(), { message: /self-signed certificate/ });
  });
});
