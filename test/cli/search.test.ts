import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandsOf } from '../../src/cli/commands.ts';
import { password, startServer, type TestServer } from '../support/server.ts';
import { type CommandResult, granary } from './granary.ts';
import { query } from './login.ts';
import { runHere } from './run-here.ts';

/** Runs a command of `granary search`. */
type Run = (...args: string[]) => Promise<CommandResult>;

/** Runs commands beside a server that runs on the same data. */
async function besideServer(work: (run: Run, server: TestServer) => Promise<void>): Promise<void> {
  await using server = await startServer();
  await work((...args) => runHere(['search', ...args, ...dataOf(server)]), server);
}
const dataOf = ({ granary: { settings } }: TestServer) => ['--data', settings.data];
const ask = ({ port }: TestServer, text: string, database: string) => query(port, 'sa', password, text, database);
const admin = (server: TestServer, text: string) => ask(server, text, 'Search_Admin');
const stage = (procedure: string, number: number) => `declare @a int, @b int, @c int
  exec ${procedure} @CrawlStage = ${number}, @ComponentID = 0, @ProjectID = 1, @CrawlType = 1, @CrawlID = 0,
    @ContentSourceID = 1, @ApplicationType = 0, @MiscInputData = 0, @MiscOutputData = @a output,
    @CrawlStatus = @b output, @CrawlSubStatus = @c output`;
const done = (stdout: string) => ({ code: 0, stdout, stderr: '' });

describe('granary search', () => {
  test('works against a server elsewhere, for an admin of the database', async () => {
    await using server = await startServer();
    const place = ['--server', `127.0.0.1:${server.port}`, '--ca', server.granary.settings.tlsCert ?? ''];
    const environment = { GRANARY_PASSWORD: password };
    const run: Run = (...args) => runHere(['search', ...args, ...place], environment);
    assert.deepEqual(await run('store', 'add', 'Second'), done('Crawl store 1 added: Second.\n'));
    assert.deepEqual(
      await run('component', 'add', '--store', '1'),
      done('Crawl component 1 added for crawl store 1.\n'),
    );
    const added = await run('source', 'add', 'Portal', '--start', 'http://portal/');
    assert.deepEqual(added, done('Content source 1 added: Portal.\n'));
    assert.match((await run('source', 'list')).stdout, /^1 +Portal +1 +http:\/\/portal\/$/m);
    assert.deepEqual(await run('status'), done('There are no crawls.\n'));
    await ask(server, `create login r with password = '${password}'`, 'master');
    await admin(server, "exec sp_addrolemember 'db_datawriter', 'r'");
    const denied = await run('source', 'add', 'No', '--start', 'http://no/', '--login', 'r');
    assert.equal(denied.code, 1);
    assert.match(denied.stderr, /^granary: The EXECUTE permission was denied on the object 'AddContentSource'/);
  });

  test('a farm begins with a crawl component, a crawl store and a property store', () =>
    besideServer(async (_, server) => {
      // In a process of its own, as operators run it.
      const run: Run = (...args) => granary(['search', ...args, ...dataOf(server)]);
      const components = await run('component', 'list');
      assert.match(components.stdout, /^type +number +state +store +master +reported\n/);
      assert.match(components.stdout, /^crawl +0 +ready +0 +no +never$/m);
      const stores = await run('store', 'list');
      assert.match(stores.stdout, /^crawl +0 +Search_CrawlStore +\S{36} +0$/m);
      assert.match(stores.stdout, /^property +Search_PropertyStore +\S{36}$/m);
    }));

  test('MS-SQLPGAT2 3.3: a database of the Foundation role that is made later is a farm of its own too', () =>
    besideServer(async (_, server) => {
      const made = await runHere(['database', 'create', 'Made_Here', '--kind', 'search', ...dataOf(server)]);
      assert.equal(made.code, 0);
      await ask(server, "exec sp_create_database N'Made_There', N'search'", 'master');
      for (const name of ['Made_Here', 'Made_There']) {
        assert.equal(await ask(server, 'select Name from CrawlStores', name), name);
        assert.equal(String(await ask(server, 'select count(*) from CrawlComponents', name)), '1');
        const host = "declare @s int, @h int; exec proc_MSS_GetHost N'www', @s output, @h output; select @h";
        assert.equal(String(await ask(server, host, name)), '1');
      }
    }));

  test('MS-SQLPGAT2 3.4.5.1: a farm of the Foundation role has one component and one database, and takes no more', () =>
    besideServer(async (run, server) => {
      const more = [
        ['store', 'add', 'More'],
        ['store', 'add', 'More', '--type', 'property'],
        ['component', 'add'],
        ['component', 'add', '--type', 'query'],
      ];
      for (const args of more) {
        const { code, stderr } = await run(...args, '--database', 'WSS_Search');
        assert.equal(stderr, 'granary: A farm of the Foundation role has one component and one database.\n');
        assert.equal(code, 1);
      }
      await assert.rejects(ask(server, 'select 1', 'More'), /Login failed/);
      assert.equal(await ask(server, 'select Name from CrawlStores', 'WSS_Search'), 'WSS_Search');
      assert.equal(await ask(server, 'select Name from PropertyStores', 'WSS_Search'), 'WSS_Search');
      const components = 'select (select count(*) from CrawlComponents) + (select count(*) from QueryComponents)';
      assert.equal(String(await ask(server, components, 'WSS_Search')), '1');
      const direct = ask(server, "exec granary.AddStore N'More', 1", 'WSS_Search');
      await assert.rejects(direct, /one component and one database/);
    }));

  test('stores are added with their databases, up to four crawl stores', () =>
    besideServer(async (run, server) => {
      assert.deepEqual(await run('store', 'add', 'Second'), done('Crawl store 1 added: Second.\n'));
      assert.equal(await ask(server, 'select db_name()', 'Second'), 'Second');
      assert.equal(String(await admin(server, 'select count(*) from CrawlStores')), '2');
      for (const name of ['Second', 'second', 'Second ']) {
        const again = await run('store', 'add', name);
        assert.deepEqual([again.code, again.stderr], [1, 'granary: The database Second is already a crawl store.\n']);
      }
      const tooLong = await run('store', 'add', 'x'.repeat(129));
      const refusal = 'granary: The name of a database must have 1 to 128 characters, not 129.\n';
      assert.deepEqual([tooLong.code, tooLong.stderr], [1, refusal]);
      assert.equal(String(await admin(server, 'select count(*) from CrawlStores')), '2');
      const other = await run('store', 'add', 'SharePoint_Config');
      assert.deepEqual([other.code, other.stdout], [1, '']);
      assert.match(other.stderr, /is of kind config, not search-crawl/);
      assert.deepEqual(
        await run('store', 'add', 'Props', '--type', 'property'),
        done('Property store added: Props.\n'),
      );
      for (const name of ['Third', 'Fourth']) assert.equal((await run('store', 'add', name)).code, 0);
      const fifth = await run('store', 'add', 'Fifth');
      assert.deepEqual([fifth.code, fifth.stderr], [1, 'granary: A farm can have at most 4 crawl stores.\n']);
      await assert.rejects(ask(server, 'select 1', 'Fifth'), /Login failed/);
      assert.equal((await run('store', 'add', 'X', '--type', 'other')).code, 2);
    }));

  test('components are added, and their states set, while the server runs', () =>
    besideServer(async (run, server) => {
      await run('store', 'add', 'Second');
      const added = await run('component', 'add', '--store', '1');
      assert.deepEqual(added, done('Crawl component 1 added for crawl store 1.\n'));
      assert.deepEqual(await run('component', 'add', '--type', 'query'), done('Query component 0 added.\n'));
      assert.deepEqual(await run('component', 'state', '1', 'disabled'), done('Crawl component 1 is disabled.\n'));
      assert.equal(
        String(await admin(server, 'select State from CrawlComponents where CrawlComponentNumber = 1')),
        '3',
      );
      const offline = await run('component', 'state', '0', 'offline', '--type', 'query');
      assert.deepEqual(offline, done('Query component 0 is offline.\n'));
      const listed = await run('component', 'list');
      const { query: queries } = JSON.parse((await run('component', 'list', '--json')).stdout);
      assert.deepEqual(queries, [{ number: 0, state: 'offline' }]);
      assert.match(listed.stdout, /^crawl +1 +disabled +1 /m);
      assert.match(listed.stdout, /^query +0 +offline$/m);
      assert.match((await run('component', 'add', '--store', '7')).stderr, /There is no crawl store 7/);
      assert.match((await run('component', 'state', '9', 'ready')).stderr, /There is no crawl component 9/);
      for (const args of [
        ['component', 'state', '1', 'tired'],
        ['component', 'state', 'one', 'ready'],
        ['component', 'add', '--type', 'index'],
        ['component', 'state', '1'],
      ]) {
        assert.equal((await run(...args)).code, 2, args.join(' '));
      }
    }));

  test('content sources are added with their start addresses, listed and removed', () =>
    besideServer(async (run, server) => {
      const added = await run(
        'source',
        'add',
        'Portal',
        '--start',
        'http://portal/',
        'http://wiki/',
        '--start',
        'file://s/x',
      );
      assert.deepEqual(added, done('Content source 1 added: Portal.\n'));
      const second = await run('source', 'add', 'Other', '--start=http://other/', '--depth', '3', '--robots', 'no');
      assert.deepEqual(second, done('Content source 2 added: Other.\n'));
      const changed = await run('source', 'rules', 'Other', '--exclude', '*/a', '*/b', '--interval', '2s', '--json');
      const { depth, robots, exclude, interval, hostHops } = JSON.parse(changed.stdout);
      assert.deepEqual(
        [depth, robots, exclude, interval, hostHops],
        [3, false, ['*/a', '*/b'], 2000, 0],
        'rules that are not named stay as they are',
      );
      const shown = (await run('source', 'rules', 'Other')).stdout;
      assert.match(shown, /^exclude +'\*\/a' '\*\/b'\ninterval +2s\nrobots +no$/m, 'as the flags take them');
      assert.match((await run('source', 'rules', 'Other', '--reset')).stdout, /^depth +100$/m);
      assert.equal((await run('source', 'rules', 'Other', '--robots', 'perhaps')).code, 2);
      const listed = await run('source', 'list');
      assert.match(listed.stdout, /^1 +Portal +1 +http:\/\/portal\/$/m);
      assert.match(listed.stdout, /^1 +Portal +3 +file:\/\/s\/x$/m);
      assert.match(listed.stdout, /^2 +Other +4 +http:\/\/other\/$/m);
      const removed = (await run('source', 'remove', 'Other')).stdout;
      assert.match(
        removed,
        /^Content source Other removed\. A delete crawl of its documents was requested\. No crawl /,
      );
      assert.doesNotMatch((await run('source', 'list')).stdout, /Other/);
      assert.equal(String(await admin(server, 'select ContentSourceID from RequestedDeleteCrawls')), '2');
      await admin(server, `exec proc_MSS_SetConfigurationProperty N'Granary-crawl-source-3', N'{"depth":3}'`);
      const third = await run('source', 'add', 'Third', '--start', 'http://third/');
      assert.deepEqual(third, done('Content source 3 added: Third.\n'), 'not the number of one that is being deleted');
      const fresh = (await run('source', 'rules', 'Third')).stdout;
      assert.match(fresh, /^depth +100$/m, 'not the rules of a former source of that number');
      for (const [message, ...args] of [
        [/already/, 'source', 'add', 'Portal', '--start', 'http://a/'],
        [/already/, 'source', 'add', 'portal ', '--start', 'http://a/'],
        [/not a URL with a host/, 'source', 'add', 'New', '--start', 'nowhere'],
        [/not a URL with a host/, 'source', 'add', 'New', '--start', 'mailto:a@b'],
        [/no content source 'Gone'/, 'source', 'remove', 'Gone'],
      ] as const) {
        const { code, stderr } = await run(...args);
        assert.equal(code, 1, args.join(' '));
        assert.match(stderr, message);
      }
      assert.equal((await run('source', 'add', 'New')).code, 2);
      assert.equal(String(await admin(server, 'select count(*) from StartAddresses')), '4');
      assert.equal((await run('source', 'remove', 'PORTAL')).code, 0);
      assert.equal(String(await admin(server, 'select count(*) from ContentSources')), '1');
      await run('source', 'add', '3', '--start', 'http://three/', '--depth', '7');
      const ofThird = JSON.parse((await run('source', 'rules', 'Third', '--json')).stdout);
      assert.equal(ofThird.depth, 100, 'a name goes before a number, where one is asked for');
    }));

  test('scopes are added, and are compiled at the next poll', () =>
    besideServer(async (run, server) => {
      const added = await run('scope', 'add', 'Docs', '--url', 'http://a/docs', 'http://b/docs');
      assert.deepEqual(added, done('Scope 2 added: Docs.\n'));
      assert.equal(String(await admin(server, 'select count(*) from ScopeRules')), '2');
      const poll = `declare @id int
        exec proc_MSS_ShareScopesCompilationInfo 2, 0, 0, @id output
        select @id`;
      assert.equal(String(await admin(server, poll)), '2');
      assert.match((await run('scope', 'add', 'docs')).stderr, /The scope 'docs' already exists/);
    }));

  test('a component that is disabled is so in its crawl store too', () =>
    besideServer(async (run, server) => {
      const store = (text: string) => ask(server, text, 'Search_CrawlStore');
      const local = async () => String(await store('select Status from LocalCrawlComponents where ComponentID = 0'));
      await store(`${stage('proc_MSS_Crawl', 93)} select 1`);
      assert.equal(await local(), '1');
      await run('component', 'state', '0', 'disabled');
      assert.equal(await local(), '3');
    }));

  test('status says where each crawl stands, and what is left of it in the stores', () =>
    besideServer(async (run, server) => {
      assert.deepEqual(await run('status'), done('There are no crawls.\n'));
      await run('source', 'add', 'Portal', '--start', 'http://portal/');
      await admin(server, `${stage('proc_MSS_CrawlAdmin', 100)} select 1`);
      const link = `insert into MSSTranTempTable0 (CrawlID, HostID, AccessURL, AccessHash, ItemType)
        values (2, 1, N'http://portal/', 1, 1) select 1`;
      await ask(server, link, 'Search_CrawlStore');
      const { stdout } = await run('status');
      assert.match(stdout, /^crawl +type +project +source +stands +since +waits for +components +stores +left to do\n/);
      assert.match(stdout, /^2 +Full +Portal content +1 +Requested .* the master to begin it .* 1 link$/m);
      const [crawl] = JSON.parse((await run('status', '--json')).stdout);
      assert.deepEqual([crawl.CrawlID, crawl.Stands, crawl.Left.Links], [2, 'Requested', 1]);
    }));

  test('every command that answers something does so as JSON too', async () => {
    const commands = (await Promise.all(['search', 'crawl', 'find'].map(commandsOf))).flat();
    const without = commands.filter(({ flags }) => flags?.['json'] === undefined).map(({ name }) => name);
    assert.deepEqual(without, ['crawl run']);
  });

  test('a database that is none of search administration is refused', () =>
    besideServer(async (run) => {
      const config = await run('component', 'list', '--database', 'SharePoint_Config');
      assert.deepEqual([config.code, config.stdout], [1, '']);
      assert.match(config.stderr, /is of kind config, not search-admin/);
      const none = await run('component', 'list', '--database', 'Nowhere');
      assert.match(none.stderr, /There is no database Nowhere/);
      assert.equal((await run('component', 'list', '--database', 'WSS_Search')).code, 0);
    }));
});
