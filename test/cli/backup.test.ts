import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { tarEnd, tarHeader, tarPadding } from '../../src/backup/tar.ts';
import { allKinds } from '../../src/kinds.ts';
import { until } from '../robustness/support/until.ts';
import { type EngineName, forEachEngine } from '../support/engines.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { kinds, must, numbers, put, serveRestored, Writing } from './backups.ts';
import { bin, granary, temporaryFolder } from './granary.ts';
import { runHere } from './run-here.ts';

const config = 'SharePoint_Config';

/** Flags that lead a command to the data of a server. */
const placeOf = ({ granary: { settings } }: TestServer) => ['--data', settings.data, '--engine', settings.engine];

/** An empty place of an engine: flags and settings. */
async function newPlace(engine: EngineName, stack: AsyncDisposableStack) {
  const folder = stack.use(await temporaryFolder());
  const data = join(folder.path, 'data');
  const url = engine === 'sqlite' ? 'sqlite' : stack.use(await newPostgresDatabase()).url;
  return { data, url, flags: ['--data', data, '--engine', url] };
}

describe('granary backup and restore', () => {
  forEachEngine((engine) => {
    test('a backup under writes is of one moment over all databases, and what was acknowledged before it is in it', async () => {
      await using stack = new AsyncDisposableStack();
      // Every kind, since each lays down tables of its own.
      const server = stack.use(await startServer({ engine }));
      await must(['database', 'create', 'Second', '--kind', 'config', ...placeOf(server)]);
      const clients = [await server.connect(config), await server.connect('Second')];
      const writing = new Writing(clients);
      await until('rows are written', () => writing.done >= 50);
      const before = writing.done;
      const file = join(server.granary.settings.data, 'all.backup');
      // In a process of its own, so that writing and copying go on side by side.
      await must(['backup', file, ...placeOf(server)], granary);
      const after = writing.done;
      await writing.stop();
      assert.ok(after > before, 'nothing was written meanwhile');
      if (engine === 'sqlite') assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.deepEqual(
        (await readdir(server.granary.settings.data)).filter((name) => /backup-|partial/.test(name)),
        [],
      );
      const place = await newPlace(engine, stack);
      await must(['restore', file, ...place.flags]);
      const restored = await serveRestored(place, stack, allKinds);
      const [first, second] = [await numbers(restored, config), await numbers(restored, 'Second')];
      assert.ok(second.length >= before, `${second.length} of ${before}`);
      assert.ok(
        first.length === second.length || first.length === second.length + 1,
        `${first.length} ${second.length}`,
      );
      assert.deepEqual(
        first,
        first.map((_, i) => i + 1),
      );
      // Logins come with it, and the certificate.
      assert.equal(
        (await (await restored.connect('master')).batch('select suser_sname() as n')).sets[0]?.[0]?.['n'],
        'sa',
      );
    });

    test('a database with the longest name goes along, and so does one whose name has every kind of character', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      const names = ['long '.repeat(26).slice(0, 128), "名前 with spaces/and'quotes'"];
      for (const name of names) await must(['database', 'create', name, '--kind', 'config', ...placeOf(server)]);
      for (const [i, name] of names.entries()) await put(await server.connect(name), i);
      const file = join(server.granary.settings.data, 'all.backup');
      await must(['backup', file, '--tools', 'none', ...placeOf(server)]);
      const place = await newPlace(engine, stack);
      await must(['restore', file, ...place.flags]);
      const restored = await serveRestored(place, stack);
      for (const [i, name] of names.entries()) assert.deepEqual(await numbers(restored, name), [i], name);
    });

    test('row versions go on rising after a restore of an older state', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      const client = await server.connect(config);
      await put(client, 1);
      const file = join(server.granary.settings.data, 'all.backup');
      await must(['backup', file, ...placeOf(server)]);
      const putObject = `declare @v timestamp, @e uniqueidentifier; exec proc_putObject @Id = '${randomUUID()}', @ParentId = null,
        @ClassId = '00000000-0000-0000-0000-000000000001', @Name = N'n', @Status = 0, @Version = null, @Properties = N'<o/>', @AutoResolveMissingTypes = 0,
        @ExistingObject = @e output, @NewVersion = @v output; select convert(bigint, @v) as v`;
      const seen = Number((await client.batch(putObject)).sets.at(-1)?.[0]?.['v']);
      assert.ok(seen > 0);
      const place = await newPlace(engine, stack);
      await must(['restore', file, ...place.flags]);
      const again = await (await serveRestored(place, stack)).connect(config);
      assert.ok(Number((await again.batch(putObject)).sets.at(-1)?.[0]?.['v']) > seen);
    });

    test('the certificate goes along with everything, so that clients that trust it go on', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      const { data } = server.granary.settings;
      await mkdir(join(data, 'tls'));
      await writeFile(join(data, 'tls', 'server.crt'), 'a certificate');
      // Where an operator keeps an older pair.
      await mkdir(join(data, 'tls', 'old'));
      const file = join(data, 'all.backup');
      await must(['backup', file, ...placeOf(server)]);
      const place = await newPlace(engine, stack);
      await must(['restore', file, ...place.flags]);
      assert.equal(await readFile(join(place.data, 'tls', 'server.crt'), 'utf8'), 'a certificate');
    });

    test('one database goes out and joins other data, beside a running server', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      await put(await server.connect(config), 1);
      const file = join(server.granary.settings.data, 'one.backup');
      await must(['backup', file, '--database', 'sharepoint_config', ...placeOf(server)]);
      const refused = await runHere(['restore', file, ...placeOf(server)]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /The database SharePoint_Config already exists; --force replaces it/);
      await put(await server.connect(config), 2);
      await must(['restore', file, '--force', ...placeOf(server)]);
      assert.deepEqual(await numbers(server, config), [1]);
    });

    test('a backup that is ended by a signal leaves nothing behind, nor does one that cannot be written', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      const folder = stack.use(await temporaryFolder());
      const file = join(folder.path, 'all.backup');
      for (const tools of [[], ['--tools', 'none']]) {
        const ended = await runHere(['backup', file, ...tools, ...placeOf(server)], {}, AbortSignal.abort());
        assert.equal(ended.code, 1);
        assert.match(
          ended.stderr,
          /^granary: The backup to .* was interrupted before it was complete; nothing of it was left/m,
        );
        assert.deepEqual(await readdir(folder.path), []);
      }
      const nowhere = join(folder.path, 'missing', 'all.backup');
      const { code, stderr } = await runHere(['backup', nowhere, ...placeOf(server)]);
      assert.equal(code, 1);
      assert.match(stderr, /^granary: The backup cannot be written to .*missing.all\.backup: ENOENT/m);
      const refused = await runHere(['backup', folder.path, '--force', ...placeOf(server)]);
      assert.match(refused.stderr, /^granary: .* is a folder; specify a file name/m);
    });

    test('data that is there is never replaced without --force, and what a server uses not even with it', async () => {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startServer({ engine, kinds }));
      const folder = stack.use(await temporaryFolder());
      const file = join(folder.path, 'all.backup');
      await must(['backup', file, ...placeOf(server)]);
      const again = await runHere(['backup', file, ...placeOf(server)]);
      assert.match(again.stderr, /already exists; --force replaces it/);
      const used = await runHere(['restore', file, '--force', ...placeOf(server)]);
      assert.equal(used.code, 1);
      assert.match(used.stderr, /Another Granary serves the data/);
      assert.deepEqual(await numbers(server, config), []);
      const place = await newPlace(engine, stack);
      await must(['restore', file, ...place.flags]);
      const refused = await runHere(['restore', file, ...place.flags]);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, engine === 'sqlite' ? /is not empty/ : /already contains Granary data/);
      const { stdout } = await runHere(['restore', file, '--force', ...place.flags]);
      if (engine === 'sqlite') assert.match(stdout, /The previous contents are in .*replaced-/);
      assert.deepEqual(await numbers(await serveRestored(place, stack), config), []);
    });
  });

  test('a restore that finds no room costs nothing that is there, and one that was killed can be done again', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startServer({ kinds }));
    const { data } = server.granary.settings;
    const client = await server.connect(config);
    await put(client, 1);
    const file = join(data, 'one.backup');
    await must(['backup', file, '--database', config, ...placeOf(server)]);
    await put(client, 2);
    // The system refuses what is longer, as a full disk would: 64 KB.
    const limited = ['-c', 'ulimit -f 128; exec "$@"', 'sh', process.execPath, bin, 'restore', file, '--force'];
    const { status, stderr } = spawnSync('/bin/sh', [...limited, ...placeOf(server)], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /There is not enough space in/);
    assert.deepEqual(await numbers(server, config), [1, 2]);
    await must(['database', 'drop', config, ...placeOf(server)]);
    // What a kill leaves: a name that was taken, and half a file.
    {
      using list = new DatabaseSync(join(data, 'granary.db'));
      list.exec(`insert into granary_databases (id, name, folded, kind, place, created, ready)
        select max(id) + 1, '${config}', '${config.toLowerCase()}', 'config', 'half', 0, 0 from granary_databases`);
    }
    await writeFile(join(data, 'half.db'), 'half of a file');
    // A creation that was interrupted had no pages before: rolled back, its file would be empty.
    const journal = Buffer.alloc(512);
    Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
    journal.writeUInt32BE(512, 20);
    journal.writeUInt32BE(4096, 24);
    await writeFile(join(data, 'half.db-journal'), journal);
    await must(['restore', file, ...placeOf(server)]);
    assert.deepEqual(await numbers(server, config), [1]);
    assert.deepEqual(
      (await readdir(data)).filter((name) => name.startsWith('.restoring')),
      [],
    );
  });

  test('an archive that is cut short, changed in one byte or of the other engine is refused, and nothing is laid down', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startServer({ kinds }));
    const folder = stack.use(await temporaryFolder());
    const file = join(folder.path, 'all.backup');
    const place = await newPlace('sqlite', stack);
    await must(['backup', file, ...placeOf(server)]);
    const { size } = await stat(file);
    const refusal = async (path: string) => {
      const { code, stderr } = await runHere(['restore', path, ...place.flags]);
      assert.equal(code, 1);
      assert.doesNotMatch(stderr, /unexpected error/);
      assert.ok(stderr.includes(path), stderr);
      assert.deepEqual(await readdir(place.data).catch(() => []), []);
      return stderr;
    };
    for (const at of [0.3, 0.6, 0.95]) {
      await using handle = await open(file, 'r+');
      const position = Math.floor(size * at);
      const byte = Buffer.alloc(1);
      await handle.read(byte, 0, 1, position);
      // All bits of it: zstd leaves some unused, and an archive in which one of those has changed is as whole as before.
      await handle.write(Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, position);
      assert.match(await refusal(file), /not a complete backup|damaged|no manifest/);
      await handle.write(byte, 0, 1, position);
    }
    const elsewhere = await newPlace('postgres', stack);
    const other = await runHere(['restore', file, ...elsewhere.flags]);
    assert.match(other.stderr, /is a backup of sqlite and cannot be restored into postgres/);
    const headers = join(folder.path, 'headers.backup');
    await writeFile(headers, zstdCompressSync(Buffer.alloc(1024, 'x')));
    assert.match(await refusal(headers), /headers\.backup is not a complete backup: a header in it is damaged/);
    for (const [i, foreign] of ['[{"Layers":[]}]', 'null', '{"format":1}', 'no JSON'].entries()) {
      const other = join(folder.path, `foreign-${i}.backup`);
      const header = tarHeader('manifest.json', foreign.length, new Date());
      const content = [header, Buffer.from(foreign), tarPadding(foreign.length), tarEnd()];
      await writeFile(other, zstdCompressSync(Buffer.concat(content)));
      assert.match(await refusal(other), /The manifest of .* cannot be read: it is not of Granary/);
    }
    // What a restore leaves that was killed is in nobody's way.
    await mkdir(join(place.data, '.restoring'), { recursive: true, mode: 0o700 });
    await must(['restore', file, ...place.flags]);
    assert.equal(existsSync(join(place.data, '.restoring')), false);
    await rm(place.data, { recursive: true });
    await truncate(file, Math.floor(size / 2));
    assert.match(await refusal(file), /not a complete backup/);
    await rm(file);
    assert.match(await refusal(file), /There is no file/);
  });
});
