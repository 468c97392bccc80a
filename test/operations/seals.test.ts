import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { sql } from '../../src/engine/sql.ts';
import { SqliteEngine } from '../../src/engine/sqlite/engine.ts';
import { holdMoment } from '../../src/engine/sqlite/files/backup.ts';
import { temporaryFolder } from '../cli/granary.ts';
import { number, shop } from '../conformance/engine/shop.ts';
import { Chance } from '../faults/chance.ts';

const engineIn = (folder: string) => new SqliteEngine({ folder, schemas: [shop], clock: systemClock, log: silentLog });

async function started(folder: string): Promise<SqliteEngine> {
  const engine = engineIn(folder);
  await engine.start();
  return engine;
}

/** A folder with a database of some rows that was closed. */
async function closedFolder() {
  const folder = await temporaryFolder();
  await using engine = await started(folder.path);
  const database = await engine.create('Shop', 'shop');
  await database.write(async (db) => {
    for (let id = 0; id < 300; id++)
      await db.run(sql`insert into things (id, name, big) values (${id}, ${`thing ${id} of the shop`}, ${id * 7})`);
  });
  return folder;
}

function flip(file: string, at: number): void {
  const content = readFileSync(file);
  content.writeUInt8(content.readUInt8(at) ^ 0x04, at);
  writeFileSync(file, content);
}

const countIn = async (engine: SqliteEngine) =>
  (await (await engine.open('Shop'))?.read((db) => db.first({ n: number }, sql`select count(*) as n from things`)))?.n;

describe('files of databases that were changed while nobody used them', () => {
  test('one bit anywhere is found at the next start, and at the one after it; the other databases are served', async () => {
    await using whole = await closedFolder();
    const seed = Date.now() % 100_000;
    const chance = new Chance(seed);
    for (let i = 0; i < 40; i++) {
      await using copy = await temporaryFolder();
      cpSync(whole.path, copy.path, { recursive: true });
      const file = join(copy.path, 'shop.db');
      const at = chance.below(readFileSync(file).length);
      flip(file, at);
      for (let start = 0; start < 2; start++) {
        await using engine = await started(copy.path);
        assert.deepEqual([...engine.suspects().keys()], ['Shop'], `seed ${seed}, byte ${at}`);
        await assert.rejects(countIn(engine), /The file .*shop\.db cannot be used/);
      }
    }
  });

  test('one bit is found also where a server was killed, and nobody has opened the database since', async () => {
    await using folder = await closedFolder();
    await using killed = await temporaryFolder();
    {
      await using server = await started(folder.path);
      await (await server.open('Shop'))?.write((db) => db.run(sql`update things set big = 1 where id = 1`));
      cpSync(folder.path, killed.path, { recursive: true });
    }
    assert.ok(!existsSync(join(killed.path, 'seals.json')));
    await (await started(killed.path)).stop();
    const file = join(killed.path, 'shop.db');
    flip(file, readFileSync(file).indexOf('thing 150'));
    await using engine = await started(killed.path);
    assert.deepEqual([...engine.suspects().keys()], ['Shop']);
  });

  test('what was found damaged gets no seal, by which it would pass for whole', async () => {
    await using folder = await closedFolder();
    rmSync(join(folder.path, 'seals.json'));
    {
      await using server = await started(folder.path);
      writeFileSync(join(folder.path, 'shop.db'), readFileSync(join(folder.path, 'shop.db')).fill(7, 8_192, 8_300));
      await assert.rejects(countIn(server), /shop\.db cannot be used/);
    }
    await using engine = await started(folder.path);
    assert.deepEqual([...engine.suspects().keys()], ['Shop']);
  });

  test('a file that cannot be read keeps nobody from the other databases, and is used again when it can', async () => {
    await using folder = await closedFolder();
    const [file, aside] = [join(folder.path, 'shop.db'), join(folder.path, 'aside')];
    renameSync(file, aside);
    mkdirSync(file);
    await using engine = await started(folder.path);
    await engine.create('Other', 'shop');
    await assert.rejects(countIn(engine), /shop\.db cannot be used: it is a folder/);
    assert.match(String((await engine.damage()).get('Shop')), /it is a folder/);
    rmSync(file, { recursive: true });
    renameSync(aside, file);
    assert.equal(await countIn(engine), 300);
    assert.equal(engine.suspects().size, 0);
  });

  test('seals that a power cut has emptied or torn are none, and keep nobody out', async () => {
    await using folder = await closedFolder();
    const seals = join(folder.path, 'seals.json');
    for (const left of ['', '\n', readFileSync(seals, 'utf8').slice(0, 100), '\0'.repeat(50)]) {
      writeFileSync(seals, left);
      await using engine = await started(folder.path);
      assert.equal(await countIn(engine), 300, JSON.stringify(left));
    }
  });

  test('a log that cannot be read keeps nobody from the other databases either', async () => {
    await using folder = await closedFolder();
    for (const ending of ['-wal', '-shm']) {
      const beside = join(folder.path, `shop.db${ending}`);
      rmSync(beside, { force: true });
      mkdirSync(beside);
      if (ending === '-shm') writeFileSync(join(folder.path, 'shop.db-wal'), '');
      await using engine = await started(folder.path);
      assert.deepEqual([...engine.suspects().keys()], ['Shop']);
      await assert.rejects(
        countIn(engine),
        new RegExp(`shop\\.db cannot be used: its log .*shop\\.db${ending} is a folder`),
      );
      rmSync(beside, { recursive: true });
      assert.equal(await countIn(engine), 300);
    }
  });

  test('whoever knows better has a file used as it is, by removing the seals', async () => {
    await using folder = await closedFolder();
    const file = join(folder.path, 'shop.db');
    flip(file, readFileSync(file).indexOf('thing 150'));
    rmSync(join(folder.path, 'seals.json'));
    await using engine = await started(folder.path);
    assert.equal(await countIn(engine), 300);
  });

  test('what was found changed stays refused beside a server that runs, after it was killed, and for whoever asks', async () => {
    await using folder = await closedFolder();
    const file = join(folder.path, 'shop.db');
    flip(file, readFileSync(file).indexOf('thing 150'));
    await using server = await started(folder.path);
    for (let time = 0; time < 2; time++) {
      await using beside = await started(folder.path);
      assert.match(String((await beside.damage()).get('Shop')), /has changed/);
      await assert.rejects(holdMoment(folder.path), /Shop is not whole, and nothing was backed up: .*has changed/);
    }
    await using killed = await temporaryFolder();
    cpSync(folder.path, killed.path, { recursive: true, preserveTimestamps: true });
    await using after = await started(killed.path);
    assert.deepEqual([...after.suspects().keys()], ['Shop']);
    rmSync(join(folder.path, 'seals.json'));
    assert.equal(await countIn(server), 300, 'who removes the seals has it used as it is');
  });

  test('what was found changed is forgotten when it is restored or dropped beside a server', async () => {
    await using folder = await closedFolder();
    flip(join(folder.path, 'shop.db'), 20_000);
    await using server = await started(folder.path);
    assert.equal(server.suspects().size, 1);
    {
      await using beside = await started(folder.path);
      await beside.drop('Shop');
      await beside.create('Shop', 'shop');
    }
    assert.ok(!existsSync(join(folder.path, 'seals.json')));
    assert.equal(await countIn(server), 0);
    assert.equal(server.suspects().size, 0);
  });

  test('a backup of a folder that nobody serves refuses what has changed, and leaves the seals of what has not', async () => {
    await using folder = await closedFolder();
    (await holdMoment(folder.path))[Symbol.dispose]();
    flip(join(folder.path, 'shop.db'), 20_000);
    for (let time = 0; time < 2; time++) await assert.rejects(holdMoment(folder.path), /Shop is not whole/);
    await using engine = await started(folder.path);
    assert.deepEqual([...engine.suspects().keys()], ['Shop']);
  });

  test('the list of databases too: the start is refused', async () => {
    await using folder = await closedFolder();
    flip(join(folder.path, 'granary.db'), 12_000);
    for (let start = 0; start < 2; start++)
      await assert.rejects(started(folder.path), /The file .*granary\.db cannot be used/);
  });

  test('what another program did through SQLite is no damage', async () => {
    await using folder = await closedFolder();
    {
      using other = new DatabaseSync(join(folder.path, 'shop.db'));
      other.exec('update things set big = 1 where id = 7');
    }
    await using engine = await started(folder.path);
    assert.equal(engine.suspects().size, 0);
    assert.equal(await countIn(engine), 300);
  });

  test('a folder has no seals while somebody is in, and after a process that did not end well', async () => {
    await using folder = await closedFolder();
    const seals = join(folder.path, 'seals.json');
    assert.ok(existsSync(seals));
    await using one = await started(folder.path);
    assert.ok(!existsSync(seals));
    const two = await started(folder.path);
    assert.equal(await countIn(two), 300);
    await two.stop();
    assert.ok(!existsSync(seals), 'the first is still in');
    await using copy = await temporaryFolder();
    cpSync(folder.path, copy.path, { recursive: true });
    await one.stop();
    assert.ok(existsSync(seals));
    await using killed = await started(copy.path);
    assert.equal(await countIn(killed), 300);
  });

  test('what is restored or dropped and made again under a name has a seal of its own', async () => {
    await using folder = await closedFolder();
    {
      await using engine = await started(folder.path);
      await engine.drop('Shop');
      await engine.create('Shop', 'shop');
    }
    await using engine = await started(folder.path);
    assert.equal(engine.suspects().size, 0);
    assert.equal(await countIn(engine), 0);
  });
});
