import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  configurationDatabases,
  downloadFile,
  listChanges,
  listFiles,
  listObjects,
  listProducts,
  listSiteContainers,
  listSites,
  listTimerHistory,
  listTimerJobs,
  showObject,
  showVersion,
} from '../../src/console/api/configuration.ts';
import { listSessions } from '../../src/console/api/sessions.ts';
import { putFileSegment } from '../../src/protocols/config/files/put-file-segment.ts';
import { config } from '../../src/protocols/config/kind.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { password, startServer, type TestServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { addConfiguration, asSa, guid, hostile, ids } from './sample-data.ts';

const database = config.firstDatabase;

describe('the configuration in the interface of the console', () => {
  forEachEngine((engine) => {
    let server: TestServer;
    let caller: ConsoleCaller;
    let file: Buffer;
    before(async () => {
      server = await startServer({ engine, kinds: [config], settings: { httpPort: 0 } });
      await using client = asSa(server, database);
      file = await addConfiguration(client);
      caller = await ConsoleCaller.logIn(server);
    });
    after(() => server[Symbol.asyncDispose]());

    test('objects are a tree by parent, and found by a part of their name', async () => {
      assert.deepEqual(await caller.call(configurationDatabases, {}), { databases: [{ name: database }] });
      assert.equal((await caller.refused(listObjects, { database: 'tempdb' })).status, 404);
      assert.equal((await caller.refused(listProducts, { database: 'nowhere' })).status, 404);
      const roots = await caller.call(listObjects, { database });
      assert.deepEqual(
        roots.objects.map(({ id, name, class: its, hasChildren }) => [id, name, its, hasChildren]),
        [[ids.farm, 'SharePoint Farm', 'Contoso.Farm', true]],
      );
      const below = await caller.call(listObjects, { database, parent: ids.farm });
      assert.deepEqual(new Set(below.objects.map(({ id }) => id)), new Set([2, 3, 4, 5].map(guid)));
      const first = below.objects[0] ?? assert.fail('there are some');
      const rest = await caller.call(listObjects, {
        database,
        parent: ids.farm,
        afterName: first.name,
        afterId: first.id,
      });
      assert.deepEqual(rest.objects, below.objects.slice(1));
      const found = await caller.call(listObjects, { database, search: '日本語' });
      assert.deepEqual(
        found.objects.map(({ id }) => id),
        [ids.server],
      );
    });

    test('an object tells its path, its dependencies, its file and the versions that are known', async () => {
      const told = await caller.call(showObject, { database, object: ids.child });
      assert.deepEqual([told.object.name, told.path], [hostile.markup, [{ id: ids.farm, name: 'SharePoint Farm' }]]);
      assert.deepEqual(told.dependsOn, [{ id: ids.server, name: hostile.scripts }]);
      assert.equal(told.fileLength, file.length);
      const [earlier] = told.versions;
      assert.ok(earlier);
      const before = await caller.call(showVersion, { database, object: ids.child, version: earlier.version });
      assert.match(before.properties, /<fld name="a">1</);
      assert.match(told.properties, /<fld name="a">2</);
      const other = await caller.call(showObject, { database, object: ids.server });
      assert.deepEqual(other.neededBy, [{ id: ids.child, name: hostile.markup }]);
      assert.equal((await caller.refused(showObject, { database, object: guid(404) })).status, 404);
      assert.equal((await caller.refused(showObject, { database, object: "x' or 1=1" })).status, 400);
    });

    test('what changed lately comes first, removals too', async () => {
      await using client = asSa(server, database);
      await client.query(`exec proc_putObject @Id = '${guid(7)}', @ParentId = null, @ClassId = '${ids.class}',
        @Name = 'goes', @Status = 0, @Version = null, @Properties = '', @AutoResolveMissingTypes = 0,
        @ExistingObject = null, @NewVersion = null; exec proc_dropObject @Id = '${guid(7)}'`);
      const { changes, next } = await caller.call(listChanges, { database });
      assert.deepEqual([changes[0]?.id, changes[0]?.removed, next], [guid(7), true, null]);
      assert.ok(Math.abs(Date.parse(changes[0]?.stored ?? '') - Date.now()) < 600_000);
      const last = changes.at(-2) ?? assert.fail('there are two');
      const older = await caller.call(listChanges, { database, before: last.version });
      assert.deepEqual(older.changes, changes.slice(-1));
    });

    test('a file is handed out whole, as an attachment', async () => {
      const { files } = await caller.call(listFiles, { database });
      assert.deepEqual(files, [{ id: ids.child, name: hostile.markup, length: file.length }]);
      const response = await caller.send(downloadFile, { database, object: ids.child });
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[\w .-]+"/);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), file);
      assert.equal((await caller.send(downloadFile, { database, object: guid(404) })).status, 404);
    });

    test('who hangs up in the midst of a file leaves neither a session nor a read behind', async () => {
      await using client = asSa(server, database);
      const large = Buffer.alloc(1024 * 1024, 'large ');
      for (let at = 0; at < 24; at++) {
        const Offset = at * large.length;
        const written = await client.call(putFileSegment, { ObjectId: ids.server, Bytes: large, Offset });
        assert.equal(written.outcome, 'written');
      }
      const sessions = async () => (await caller.call(listSessions, {})).sessions.length;
      const before = await sessions();
      const { hostname, port } = new URL(caller.at);
      const path = downloadFile.path.replace(':database', database).replace(':object', ids.server);
      for (let times = 0; times < 3; times++) {
        const basic = Buffer.from(`sa:${password}`).toString('base64');
        const socket = connect(Number(port), hostname);
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Basic ${basic}\r\n\r\n`);
        const [some] = await once(socket, 'data');
        assert.match(String(some), /^HTTP\/1.1 200/);
        socket.pause();
        // Until the server waits for its reader.
        await delay(200);
        socket.destroy();
      }
      await until('the sessions are gone', async () => (await sessions()) <= before);
    });

    test('timer jobs tell when they run, how far they are, who holds which lock until when, and how long they took', async () => {
      const { scheduled, running, locks } = await caller.call(listTimerJobs, { database });
      assert.deepEqual(
        scheduled.map(({ job, server: at, start }) => [job.name, at.name, start]),
        [[hostile.markup, hostile.scripts, '2031-05-06T07:08:09.000Z']],
      );
      assert.deepEqual(
        running.map(({ job, status, targets, done }) => [job.name, status, targets, done]),
        [['Runs now', 'running', 4, 0]],
      );
      const [lock] = locks;
      assert.ok(lock?.until);
      assert.equal(Date.parse(lock.until) - Date.parse(lock.since), 20 * 60_000);
      assert.deepEqual([lock.job.name, lock.server.name, lock.isLapsed], [hostile.markup, hostile.scripts, false]);
      const { runs, next } = await caller.call(listTimerHistory, { database, job: ids.child });
      assert.deepEqual(
        [runs.map(({ seconds, status }) => `${status} ${seconds}`), next],
        [['succeeded 3', 'succeeded 7', 'succeeded 1'], null],
      );
    });

    test('sites are counted by Web application and database and listed; products by server', async () => {
      const { containers } = await caller.call(listSiteContainers, { database });
      assert.deepEqual(containers, [
        {
          application: { id: ids.application, name: 'Portal' },
          database: { id: ids.content, name: 'WSS_Content' },
          sites: 1,
        },
      ]);
      const of = { database, application: ids.application, content: ids.content };
      const { sites, more } = await caller.call(listSites, of);
      assert.deepEqual([sites, more], [[{ id: guid(0x51), path: '/sites/Zażółć' }], false]);
      const { products } = await caller.call(listProducts, { database });
      assert.deepEqual(
        products.map(({ server: at, product, version }) => [at.name, product, version]),
        [[hostile.scripts, 'Contoso Server', '15.0.1']],
      );
    });
  });
});
