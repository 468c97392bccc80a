import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, type TestContext, test } from 'node:test';
import { Client } from '../../src/client/client.ts';
import { overview } from '../../src/console/api/overview.ts';
import { sql } from '../../src/engine/sql.ts';
import { crawlStatus } from '../../src/protocols/search/crawls/crawl-status.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { ConsoleCaller } from '../console/console-caller.ts';
import { until } from '../robustness/support/until.ts';
import { forEachEngine } from '../support/engines.ts';
import { type Metric, parseMetrics } from '../support/prometheus.ts';
import { startServer, type TestServer } from '../support/server.ts';

async function scrape(server: TestServer): Promise<string> {
  const answer = await fetch(`http://${server.granary.httpAddress}/metrics`);
  assert.equal(answer.status, 200);
  return answer.text();
}

/** The sum of the samples whose labels are as wanted. */
function sum(
  metrics: ReadonlyMap<string, Metric>,
  name: string,
  wanted: Readonly<Record<string, string>> = {},
): number {
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(sum|count|bucket)$/, ''));
  assert.ok(metric, name);
  return metric.samples
    .filter((each) => each.name === name)
    .filter(({ labels }) => Object.entries(wanted).every(([label, value]) => labels[label] === value))
    .reduce((total, { value }) => total + value, 0);
}

const addJob = (id: number) => `exec proc_AddJob @JobId = ${id}, @UserToken = 0x, @Settings = N'<s/>'`;

const oneCrawl = sql`
  insert into crawls (crawl_id, project_id, crawl_type, content_source_id, status)
  values (2, 1, 1, 1, ${crawlStatus.paused})`;

forEachEngine((engine) => {
  describe(`/metrics on ${engine}`, () => {
    test('a call that waits for work counts without its wait, and is no failure when it is cancelled', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using client = Client.create({ server: server.granary, database: 'TranslationServices' });
      await client.query('exec granary.WaitForWork @Milliseconds = 1000');
      const leaving = new AbortController();
      const wait = client.query('exec granary.WaitForWork', {}, { signal: leaving.signal });
      await until('it waits', () => server.granary.waitingCalls === 1);
      leaving.abort();
      await assert.rejects(wait, { name: 'AbortError' });
      const metrics = parseMetrics(await scrape(server));
      const ofWaits = { procedure: 'WaitForWork' };
      assert.equal(sum(metrics, 'granary_call_seconds_count', ofWaits), 2);
      assert.ok(sum(metrics, 'granary_call_seconds_sum', ofWaits) < 1);
      assert.equal(sum(metrics, 'granary_call_errors_total', ofWaits), 0);
    });

    test('a call that its client cancels is counted as cancelled, and neither as failed nor among the refused', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using client = Client.create({ server: server.granary, database: 'TranslationServices' });
      const other = await server.connect('TranslationServices');
      await other.batch(`begin transaction; ${addJob(1)}`);
      const leaving = new AbortController();
      const blocked = client.query(addJob(1), {}, { signal: leaving.signal });
      const waiting = 'select count(*) as n from sys.dm_exec_requests where blocking_session_id <> 0';
      await until('it waits', async () => (await other.batch(waiting)).sets[0]?.[0]?.['n'] === 1);
      leaving.abort();
      await assert.rejects(blocked, { name: 'AbortError' });
      await other.batch('rollback');
      const metrics = parseMetrics(await scrape(server));
      const ofCall = { procedure: 'proc_AddJob' };
      assert.equal(sum(metrics, 'granary_calls_cancelled_total', ofCall), 1);
      assert.equal(sum(metrics, 'granary_call_errors_total', ofCall), 0);
      assert.equal(sum(metrics, 'granary_call_seconds_count', ofCall), 2);
      const { refused } = await (await ConsoleCaller.logIn(server)).call(overview, {});
      assert.deepEqual(refused, []);
    });

    test('a call that the server ends itself is failed and refused with what its client is told', async () => {
      const settings = { httpPort: 0, executionTimeout: 3000 };
      await using server = await startServer({ engine, kinds: [translation], settings });
      const holder = await server.connect('TranslationServices');
      const waiter = await server.connect('TranslationServices');
      await holder.batch(`begin transaction; ${addJob(1)}`);
      await assert.rejects(waiter.batch(addJob(1)), { number: 50000 });
      const ofCall = { procedure: 'proc_AddJob' };
      assert.equal(
        sum(parseMetrics(await scrape(server)), 'granary_call_errors_total', { ...ofCall, number: '50000' }),
        1,
      );
      const { refused } = await (await ConsoleCaller.logIn(server)).call(overview, {});
      assert.match(refused[0]?.message ?? '', /execution timeout of 3000 ms/);
    });

    test('every figure has HELP and TYPE, names as Prometheus wants them, whole histograms and few series', async (t) => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      await using client = await server.connect('TranslationServices');
      await client.query('exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0');
      const text = await scrape(server);
      for (const [name, metric] of parseMetrics(text)) {
        assert.ok(metric.help.length > 3, `${name} has no help`);
        assert.match(metric.type, /^(counter|gauge|histogram)$/, name);
        if (!name.startsWith('granary_')) continue;
        assert.equal(metric.type === 'counter', name.endsWith('_total'), `${name} is a ${metric.type}`);
        assert.ok(metric.samples.length < 3000, name);
        for (const { labels, value } of metric.samples.filter((each) => each.name === `${name}_count`)) {
          const buckets = metric.samples.filter(
            (each) => each.name === `${name}_bucket` && Object.entries(labels).every(([k, v]) => each.labels[k] === v),
          );
          assert.equal(buckets.at(-1)?.labels['le'], '+Inf');
          assert.equal(buckets.at(-1)?.value, value);
          assert.deepEqual(
            buckets.map((each) => each.value),
            buckets.map((each) => each.value).toSorted((one, other) => one - other),
          );
        }
      }
      await t.test('Prometheus’ own tool has nothing to say', (t) => checkWithPromtool(t, text));
    });

    test('the first scrape tells all of the processor that the process has used, not what it has used since', async () => {
      await using server = await startServer({ engine, kinds: [translation], settings: { httpPort: 0 } });
      const { user, system } = process.cpuUsage();
      const metrics = parseMetrics(await scrape(server));
      assert.ok(sum(metrics, 'process_cpu_user_seconds_total') >= user / 1e6);
      assert.ok(sum(metrics, 'process_cpu_system_seconds_total') >= system / 1e6);
      assert.ok(sum(metrics, 'process_cpu_seconds_total') >= (user + system) / 1e6);
    });

    test('writing shows in queue, groups, syncs, sizes and jobs by state; a refused login by its reason', async () => {
      await using server = await startServer({ engine, kinds: [translation, searchAdmin], settings: { httpPort: 0 } });
      await using client = await server.connect('TranslationServices');
      const crawls = await server.granary.engine.open('Search_Admin');
      await crawls?.write((db) => db.run(oneCrawl));
      for (const id of [1, 2, 3]) await client.query(addJob(id));
      await client.query(`exec proc_SubmitJob @JobId = 2`);
      await assert.rejects(server.connect('NoSuchDatabase'), { code: 'ELOGIN' });
      const database = 'TranslationServices';
      let metrics: ReadonlyMap<string, Metric> = new Map();
      // Counts are kept for some seconds, and the console may have asked for them before.
      await until('the jobs and the crawl are counted', async () => {
        metrics = parseMetrics(await scrape(server));
        return sum(metrics, 'granary_jobs', { database }) === 3 && sum(metrics, 'granary_crawls') === 1;
      });
      assert.ok(sum(metrics, 'granary_group_calls_count', { database }) >= 1);
      assert.ok(sum(metrics, 'granary_group_calls_sum', { database }) >= 4);
      assert.ok(sum(metrics, 'granary_sync_seconds_count', { database }) >= 1);
      assert.equal(sum(metrics, 'granary_writer_queue', { database }), 0);
      assert.ok(sum(metrics, 'granary_database_bytes', { database }) > 4096);
      assert.ok(sum(metrics, 'granary_database_bytes', { database: 'granary' }) > 4096);
      assert.equal(sum(metrics, 'granary_jobs', { database, state: 'not_submitted' }), 2);
      assert.equal(sum(metrics, 'granary_jobs', { database }), 3);
      assert.equal(sum(metrics, 'granary_crawls', { database: 'Search_Admin', state: 'paused' }), 1);
      assert.equal(sum(metrics, 'granary_crawls'), 1);
      assert.equal(sum(metrics, 'granary_databases', { state: 'online' }), 2);
      assert.equal(sum(metrics, 'granary_databases', { state: 'suspect' }), 0);
      assert.equal(sum(metrics, 'granary_logins_refused_total', { reason: 'database' }), 1);
      assert.equal(sum(metrics, 'granary_logins_refused_total', { reason: 'credentials' }), 0);
      assert.ok(sum(metrics, 'granary_memory_limit_bytes', { budget: 'server' }) > 0);
      assert.ok(sum(metrics, 'granary_memory_limit_bytes', { budget: 'messages' }) > 0);
      assert.equal(sum(metrics, 'granary_build_info', { engine }), 1);
      assert.ok(sum(metrics, 'granary_sessions') >= 1);
      assert.equal(sum(metrics, 'granary_sessions_blocked'), 0);
      const own =
        engine === 'sqlite'
          ? ['granary_log_bytes', 'granary_checkpoint_seconds', 'granary_checkpoint_failures_total']
          : [
              'granary_postgres_connections',
              'granary_postgres_connections_idle',
              'granary_postgres_connections_waiting',
            ];
      for (const name of own) assert.ok(metrics.has(name), name);
      if (engine === 'postgres') assert.ok(sum(metrics, 'granary_postgres_connections', { database }) >= 1);
    });
  });
});

function checkWithPromtool(t: TestContext, text: string): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
  });
  if (error === undefined) assert.equal(status, 0, `${stdout}${stderr}`);
  else t.skip('promtool (Debian: prometheus) is not installed');
}
