import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client } from '../../src/client/client.ts';
import { readSettings } from '../../src/protocols/jobs/settings/job-settings.ts';
import { translationClaims } from '../../src/protocols/translation/claims.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { wordClaims } from '../../src/protocols/word/claims.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { nvarchar } from '../../src/tds/types/index.ts';
import { until } from '../robustness/support/until.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { password, startServer } from '../support/server.ts';
import type { CommandResult } from './granary.ts';
import { runHere } from './run-here.ts';

interface Scene {
  /** Runs a command beside the server, on the same data. */
  run(...args: string[]): Promise<CommandResult>;
  /** The same until it is ended. */
  begin(...args: string[]): { readonly ended: Promise<CommandResult>; end(): void };
  /** Runs a command over the network. */
  elsewhere(...args: string[]): Promise<CommandResult>;
  readonly client: Client;
  /** A folder with a.docx, b.odt and "c d.txt". */
  readonly folder: string;
}

const jobOf = ({ stdout }: CommandResult): string => String(JSON.parse(stdout).job);

forEngineOfRun((engine) => {
  async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
    await using server = await startServer({ engine, kinds: [translation, word2] });
    const { data, engine: where, tlsCert = '' } = server.granary.settings;
    const folder = await mkdtemp(join(tmpdir(), 'granary-job-'));
    const client = Client.create({ server: server.granary, database: word2.firstDatabase });
    const beside = [['--data', data], { GRANARY_ENGINE: where }] as const;
    try {
      for (const name of ['a.docx', 'b.odt', 'c d.txt']) await writeFile(join(folder, name), 'text');
      await work({
        client,
        folder,
        run: (...args) => runHere([...args, ...beside[0]], beside[1]),
        begin: (...args) => {
          const stop = new AbortController();
          return { ended: runHere([...args, ...beside[0]], beside[1], stop.signal), end: () => stop.abort() };
        },
        elsewhere: (...args) =>
          runHere([...args, '--server', `localhost:${server.port}`, '--ca', tlsCert], { GRANARY_PASSWORD: password }),
      });
    } finally {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Claims the items of the next job, and ends each as `endings` says of its input. */
  async function work(client: Client, endings: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const Worker = randomUUID();
    await client.call(wordClaims.waitForWork, { Milliseconds: 60_000 });
    const { sets } = await client.call(wordClaims.claimItems, { Worker, Count: 100 });
    for (const item of sets.Items) {
      const Message = endings[item.InputFile];
      if (Message === undefined) await client.call(wordClaims.finishItem, item);
      else await client.call(wordClaims.failItem, { ...item, NoRetry: true, ErrorCode: 4711, Message });
    }
    return sets.Items.map(({ InputFile, OutputFile }) => `${InputFile} > ${OutputFile}`);
  }

  describe('granary job', () => {
    test('submit makes a job of the files, and ends with 0 when all are done', () =>
      scene(async ({ run, client, folder }) => {
        const files = ['a.docx', 'b.odt', 'c d.txt'].map((name) => join(folder, name));
        const out = join(folder, 'done', 'here');
        const [result, done] = await Promise.all([
          run('job', 'submit', ...files, '--to', 'pdf', '--out', out),
          work(client),
        ]);
        assert.deepEqual(done, ['a.docx > a.pdf', 'b.odt > b.pdf', 'c%20d.txt > c%20d.pdf']);
        assert.equal(result.stdout, '3 of 3 documents are done.\n');
        assert.equal(result.code, 0, result.stderr);
        assert.match(result.stderr, /^Job \d+ in WordAutomationServices\n/);
        assert.ok(existsSync(out), 'the folder of the outputs is made');
        const [roots] = await client.select(
          { InputRoot: nvarchar('max'), OutputRoot: nvarchar('max') },
          'select InputRoot, OutputRoot from Groups',
        );
        assert.deepEqual(Object.values(roots ?? {}), [`${pathToFileURL(folder)}/`, `${pathToFileURL(out)}/`]);
      }));

    test('list, why and cancel tell of a job beside the server and over the network', () =>
      scene(async ({ run, elsewhere, folder }) => {
        const job = jobOf(await run('job', 'submit', join(folder, 'a.docx'), '--to', 'pdf', '--no-wait', '--json'));
        const other = await run('job', 'submit', join(folder, 'a.docx'), '--translate', 'en:es', '--no-wait');
        assert.match(other.stdout, /^Job \d+ was submitted to TranslationServices\.\n$/);
        for (const ask of [run, elsewhere]) {
          const listed = JSON.parse((await ask('job', 'list', '--json')).stdout);
          assert.deepEqual(
            listed.map(({ database, name, state, items, open }: Record<string, unknown>) => [
              database,
              name,
              state,
              items,
              open,
            ]),
            [
              [translation.firstDatabase, 'a.docx', 'waiting', 1, 1],
              [word2.firstDatabase, 'a.docx', 'waiting', 1, 1],
            ],
          );
          assert.match((await ask('job', 'list')).stdout, new RegExp(`${job} +${word2.firstDatabase} +a.docx`));
          const [reason] = JSON.parse((await ask('job', 'why', job, '--json')).stdout);
          assert.deepEqual([reason.State, reason.InputFile, reason.Ahead], ['NoWorker', 'a.docx', 0]);
          assert.match((await ask('job', 'why', job)).stdout, /^1\/1 +a\.docx +No worker is running\.$/m);
        }
        assert.match((await run('job', 'cancel', job)).stdout, /was cancelled: 0 of 1 items were done/);
        assert.match((await elsewhere('job', 'why', job)).stdout, /The job was cancelled at /);
      }));

    // What follows is the same on every engine, and a command takes its time to open a PostgreSQL.
    if (engine === 'postgres') return;

    test('submit ends with 1 and the reasons when some failed; show has them too', () =>
      scene(async ({ run, client, folder }) => {
        const files = ['a.docx', 'b.odt'].map((name) => join(folder, name));
        const [result] = await Promise.all([
          run('job', 'submit', ...files, '--to', 'pdf', '--json'),
          work(client, { 'b.odt': 'It is torn.' }),
        ]);
        assert.equal(result.code, 1);
        assert.match(result.stderr, /1 of 2 documents are not done:\n {2}b\.odt: error 4711: It is torn\.\n/);
        const told = JSON.parse(result.stdout);
        assert.deepEqual(
          [told.total, told.succeeded, told.failed],
          [2, 1, [{ input: 'b.odt', error: 'error 4711: It is torn.' }]],
        );
        const shown = await run('job', 'show', told.job);
        assert.match(shown.stdout, /b\.odt +b\.pdf +error 4711: It is torn\./);
        assert.match(shown.stdout, /Succeeded 1, Failed 1/);
        assert.match((await run('job', 'list')).stdout, / +done, 1 failed +2 +0$/m);
        const items = JSON.parse((await run('job', 'show', told.job, '--json')).stdout).items;
        assert.deepEqual(
          items.map((item: { State: string }) => item.State),
          ['Succeeded', 'Failed'],
        );
      }));

    test('submit --translate makes a translation, with settings that workers read', () =>
      scene(async ({ run, client, folder }) => {
        const result = await run(
          'job',
          'submit',
          join(folder, 'a.docx'),
          '--translate',
          'en:es',
          '--no-wait',
          '--json',
        );
        assert.equal(result.code, 0, result.stderr);
        const { sets } = await client.database(translation.firstDatabase).call(translationClaims.claimItems, {
          Worker: randomUUID(),
          Count: 1,
          Own: true,
        });
        assert.equal(sets.Items[0]?.OutputFile, 'a.es.docx');
        assert.deepEqual(readSettings(sets.Groups[0]?.Settings ?? null), { from: 'en', to: 'es', replace: true });
      }));

    test('submit that is ended leaves its job, and tells how to look at it; a job that is cancelled ends it with 1', () =>
      scene(async ({ run, begin, folder }) => {
        const watched = begin('job', 'submit', join(folder, 'a.docx'), '--to', 'pdf');
        const jobs = async () => JSON.parse((await run('job', 'list', '--json')).stdout);
        await until('a job is there', async () => (await jobs()).length === 1);
        watched.end();
        const left = await watched.ended;
        assert.equal(left.code, 1);
        assert.match(left.stderr, /Job \d+ continues in the background/);
        const second = begin('job', 'submit', join(folder, 'b.odt'), '--to', 'pdf');
        await until('another is there', async () => (await jobs()).length === 2);
        await run('job', 'cancel', (await jobs())[0].job);
        const cancelled = await second.ended;
        assert.equal(cancelled.code, 1);
        assert.match(cancelled.stderr, /1 were not started: the job was cancelled\./);
      }));

    test('what a daily limit refuses is told, and why says until when', () =>
      scene(async ({ run, folder }) => {
        const limited = ['--translate', 'en:es', '--no-wait', '--most-per-day', '1'];
        assert.equal((await run('job', 'submit', join(folder, 'a.docx'), ...limited)).code, 0);
        const refused = await run('job', 'submit', join(folder, 'b.odt'), ...limited);
        assert.equal(refused.code, 1);
        const [, id = ''] = /granary job why (\d+)/.exec(refused.stderr) ?? [];
        assert.match((await run('job', 'why', id)).stdout, /the daily limit is used up until \d{4}-.*Z\./);
      }));

    test('what is written wrongly is said in a line, and makes no job', () =>
      scene(async ({ run, folder }) => {
        const file = join(folder, 'a.docx');
        for (const [args, code, text] of [
          [['submit'], 2, /Usage: granary job submit FILE…/],
          [['submit', file], 2, /either --to FORMAT/],
          [['submit', file, '--to', 'pdf', '--translate', 'en:es'], 2, /either --to FORMAT/],
          [['submit', file, '--to', '../x'], 2, /--to must be an extension/],
          [['submit', file, '--translate', 'english'], 2, /such as en:es/],
          [['submit', file, '--to', 'pdf', '--attempts', '0'], 2, /--attempts/],
          [['submit', file, '--to', 'pdf', '--partition', 'x'], 2, /--partition must be a GUID/],
          [['submit', file, '--to', 'docx'], 2, /replaced by its own output/],
          [['submit', file, file, '--to', 'pdf'], 2, /would both become a\.pdf/],
          [['submit', 'ftp://host/a.docx', '--to', 'pdf'], 2, /is not a document/],
          [['submit', join(folder, 'none.docx'), '--to', 'pdf'], 1, /does not exist/],
          [['submit', folder, '--to', 'pdf'], 1, /is not a document/],
          [['submit', file, '--to', 'pdf', '--database', translation.firstDatabase], 1, /does not have such jobs/],
          [['submit', file, '--to', 'pdf', '--database', 'None'], 1, /There is no database None/],
          [['show', 'x'], 2, /is not a job number/],
          [['show', '404'], 1, /There is no job 404/],
          [['why', '404'], 1, /There is no job 404/],
          [['cancel', '404'], 1, /There is no job 404/],
          [['list', '--count', '0'], 2, /--count/],
        ] as const) {
          const result = await run('job', ...args);
          assert.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
          assert.match(result.stderr, text);
        }
        assert.equal((await run('job', 'list', '--json')).stdout, '[]\n');
      }));
  });
});
