import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLog, silentLog } from '../../src/base/log/log.ts';
import { SqlError } from '../../src/base/messages/sql-error.ts';
import { orNull } from '../../src/procedure/declare.ts';
import { itemErrors } from '../../src/protocols/jobs/item-errors.ts';
import { cancelJob } from '../../src/protocols/word/cancel-job.ts';
import { datetime, int, tinyint } from '../../src/tds/types/index.ts';
import { ClaimedQueue } from '../../src/workers/dispatch/claimed-queue.ts';
import { Dispatcher } from '../../src/workers/dispatch/dispatcher.ts';
import { conversions, type JobProtocol, translations } from '../../src/workers/dispatch/protocols.ts';
import type { Work, WorkItem } from '../../src/workers/dispatch/work-item.ts';
import { WorkError } from '../../src/workers/documents/work-error.ts';
import { WorkCrew } from '../../src/workers/work-crew.ts';
import { forEachEngine } from '../support/engines.ts';
import { JobFarm } from './job-farm.ts';

const database = 'WordAutomationServices';

/** Work that a test does itself. */
const working = (does: Work['do'], slots = 2): Work => ({
  name: 'test',
  slots,
  do: does,
  async [Symbol.asyncDispose]() {},
});

/** Resolves when the signal is aborted, and rejects as aborted work does. */
const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

interface Given {
  readonly protocol?: JobProtocol;
  readonly own?: boolean;
  readonly on?: string;
  readonly grace?: number;
  readonly leaseSeconds?: number;
}

async function dispatching(farm: JobFarm, work: Work, given: Given = {}): Promise<Dispatcher> {
  const { protocol = conversions, own = false, on = database, grace = 0, leaseSeconds = 60 } = given;
  const client = farm.client.database(on);
  const dispatcher = new Dispatcher({ client, protocol, work, own, grace, leaseSeconds, interval: 20, log: silentLog });
  await dispatcher.start();
  return dispatcher;
}

const states = (farm: JobFarm) =>
  farm.client
    .database(database)
    .select(
      { started: orNull(datetime), stopped: orNull(datetime), left: tinyint, error: orNull(int) },
      'select StartTime as started, StopTime as stopped, AttemptsRemaining as "left", ErrorCode as error from Items order by JobId, ItemId',
    );

const named = (...names: readonly string[]) => names.map((name) => ({ name, out: `${name}.pdf` }));

forEachEngine((engine) => {
  let farm: JobFarm;
  before(async () => {
    farm = await JobFarm.start(engine);
  });
  after(() => farm[Symbol.asyncDispose]());

  test('ends that are reported together are kept but for those whose claims are over', async () => {
    const job = await farm.submit(database, named('a', 'b', 'c'));
    const client = farm.client.database(database);
    const queue = new ClaimedQueue({
      client,
      protocol: conversions,
      worker: randomUUID(),
      name: 'test',
      own: false,
      leaseSeconds: 60,
    });
    const [a, b, c] = await queue.claim(3);
    assert.ok(a && b && c);
    await queue.giveBack(b);
    const told = await Promise.allSettled([queue.finish(a, false), queue.finish(b, false), queue.finish(c, true)]);
    assert.deepEqual(
      told.map((each) => (each.status === 'rejected' ? each.reason.name : each.status)),
      ['fulfilled', 'LeaseOver', 'fulfilled'],
    );
    const [again] = await queue.claim(3);
    assert.equal(again?.ItemId, b.ItemId);
    await queue.finish(again, true);
    for (const { name, error } of await farm.ended(database, job)) assert.equal(error, null, name);
  });

  test('items are claimed, done and reported, with all that is known of them', async () => {
    const seen: WorkItem[] = [];
    const does = async (item: WorkItem) => void seen.push(item);
    await using _words = await dispatching(farm, working(does));
    await using _languages = await dispatching(farm, working(does), {
      protocol: translations,
      on: 'TranslationServices',
    });
    const job = await farm.submit(database, named('a', 'b c', 'd'), { settings: '<s/>' });
    const other = await farm.submit('TranslationServices', named('e'), { settings: '<t/>' });
    for (const { name, error } of await farm.ended(database, job)) assert.equal(error, null, name);
    for (const { name, error } of await farm.ended('TranslationServices', other)) assert.equal(error, null, name);
    const { InputFile, OutputFile, InputRoot, OutputRoot, Settings } = seen.find(({ ItemId }) => ItemId === 2) ?? {};
    assert.deepEqual(
      { InputFile, OutputFile, InputRoot, OutputRoot, Settings },
      {
        InputFile: 'b%20c',
        OutputFile: 'b%20c.pdf',
        InputRoot: farm.root('in'),
        OutputRoot: farm.root('out'),
        Settings: '<s/>',
      },
    );
    assert.equal(seen.length, 4);
  });

  test('on a server that knows the protocols alone, a batch is fetched, started, done and reported', async () => {
    const claim = () => Promise.reject(new SqlError(2812, "Could not find stored procedure 'granary.ClaimItems'."));
    const tries = new Map<string, number>();
    const work = working(async ({ InputFile }) => {
      const times = (tries.get(InputFile) ?? 0) + 1;
      tries.set(InputFile, times);
      if (InputFile === 'bad') throw new WorkError('unreadable', 'It is bad.');
      if (InputFile === 'later' && times < 3) throw new WorkError('unreachable', 'Not yet.');
    });
    await using _dispatcher = await dispatching(farm, work, { protocol: { ...conversions, claim } });
    const job = await farm.submit(database, named('a', 'bad', 'later', 'b', 'c'), { attempts: 5 });
    assert.deepEqual(
      (await farm.ended(database, job)).map(({ name, error }) => [name, error]),
      [
        ['a', null],
        ['bad', itemErrors.unreadable.code],
        ['later', null],
        ['b', null],
        ['c', null],
      ],
    );
    assert.deepEqual(Object.fromEntries(tries), { a: 1, bad: 1, later: 3, b: 1, c: 1 });
  });

  test('what an attempt has noted of its output, the next one hears', async () => {
    const heard: (string | undefined)[] = [];
    const work = working(async (_item, _signal, notes) => {
      heard.push(await notes.noted());
      await notes.note(String(heard.length).repeat(64));
      if (heard.length < 3) throw new WorkError('crashed', 'It ended.');
    });
    await using _dispatcher = await dispatching(farm, work);
    const job = await farm.submit(database, named('a'), { attempts: 3 });
    assert.deepEqual(await farm.ended(database, job), [{ name: 'a', error: null }]);
    assert.deepEqual(heard, [undefined, '1'.repeat(64), '2'.repeat(64)]);
  });

  test('what may do better another time is tried again while attempts are left, and what may not is not', async () => {
    let tries = 0;
    const work = working(async ({ InputFile }) => {
      tries++;
      if (InputFile === 'fault') throw new Error('a fault');
      throw new WorkError(InputFile === 'broken' ? 'unreadable' : 'timedOut', 'It failed.');
    });
    await using _dispatcher = await dispatching(farm, work);
    const job = await farm.submit(database, named('broken', 'slow', 'fault'), { attempts: 3 });
    assert.deepEqual(
      (await farm.ended(database, job)).map(({ error }) => error),
      [itemErrors.unreadable.code, itemErrors.timedOut.code, itemErrors.failed.code],
    );
    assert.equal(tries, 7);
  });
});

test('a stop lets items come to their end, and gives back what takes longer: the attempt does not count', async () => {
  await using farm = await JobFarm.start('sqlite');
  const begun = Promise.withResolvers<void>();
  const let_ = Promise.withResolvers<void>();
  const work = working(async ({ InputFile }, signal) => {
    if (InputFile === 'quick') return await let_.promise;
    begun.resolve();
    await forever(signal);
  });
  const dispatcher = await dispatching(farm, work, { grace: 1000 });
  await farm.submit(database, named('quick', 'slow', 'waiting'), { attempts: 3 });
  await begun.promise;
  const stopping = dispatcher.stop();
  let_.resolve();
  await stopping;
  const [quick, slow, waiting] = await states(farm);
  assert.notEqual(quick?.stopped, null);
  assert.deepEqual(slow, { started: null, stopped: null, left: 3, error: null });
  assert.deepEqual(waiting, slow);
});

test('items that were being claimed when the stop came are given back before it is over', async () => {
  await using farm = await JobFarm.start('sqlite');
  await farm.submit(database, named('a', 'b'), { attempts: 3 });
  let busy = 0;
  const work = working(async (_item, signal) => {
    busy++;
    await forever(signal).finally(() => busy--);
  });
  const dispatcher = await dispatching(farm, work); // its first claim is under way
  await dispatcher.stop();
  assert.equal(busy, 0);
  for (const state of await states(farm))
    assert.deepEqual(state, { started: null, stopped: null, left: 3, error: null });
});

test('the work on an item whose job was cancelled is aborted', async () => {
  await using farm = await JobFarm.start('sqlite');
  const begun = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<unknown>();
  const work = working(async (_item, signal) => {
    begun.resolve();
    await forever(signal).catch(broken.resolve);
    signal.throwIfAborted();
  });
  await using _dispatcher = await dispatching(farm, work, { leaseSeconds: 3 });
  const JobId = await farm.submit(database, named('a'));
  await begun.promise;
  await farm.client.database(database).call(cancelJob, { JobId });
  // On a machine that stalls, the claim may run out before it is renewed.
  assert.match(String(await broken.promise), /aborted: (cancelled|lost)/);
});

test('a worker that keeps to Granary’s own jobs leaves those of others alone', async () => {
  await using farm = await JobFarm.start('sqlite');
  await using _dispatcher = await dispatching(
    farm,
    working(async () => {}),
    { own: true },
  );
  await farm.submit(database, named('theirs'), { settings: '<settings/>' });
  const own = await farm.submit(database, named('ours'), {
    settings: '<settings xmlns="urn:granary:job-settings" to="pdf"/>',
  });
  assert.deepEqual(await farm.ended(database, own), [{ name: 'ours', error: null }]);
  await delay(50);
  assert.deepEqual((await states(farm))[0]?.started, null);
});

test('a database that is made while workers run is served, and one that is dropped is released', async () => {
  await using farm = await JobFarm.start('sqlite');
  const { engine } = farm.server.granary;
  const lines: string[] = [];
  const databases = async () =>
    (await engine.list()).filter(({ kind }) => kind === 'translation').map(({ name }) => name);
  await using crew = new WorkCrew('translate', farm.client, databases, {
    concurrency: 1,
    timeout: 1000,
    roots: [],
    except: [],
    // Nobody is asked: the settings of the job name no languages.
    translator: { url: new URL('http://127.0.0.1:1/') },
    own: false,
    lookInterval: 20,
    userAgent: 'test',
    log: jsonLog((line) => lines.push(line), 'info'),
  });
  await crew.start();
  await engine.create('TranslationLater', 'translation');
  const job = await farm.submit('TranslationLater', named('a'));
  assert.deepEqual(await farm.ended('TranslationLater', job), [{ name: 'a', error: itemErrors.badSettings.code }]);
  await engine.drop('TranslationLater');
  const isReleased = () => lines.some((line) => line.includes('released') && line.includes('TranslationLater'));
  while (!isReleased()) await delay(20);
});
