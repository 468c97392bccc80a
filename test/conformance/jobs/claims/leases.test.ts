import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { translationClaims } from '../../../../src/protocols/translation/claims.ts';
import { wordClaims } from '../../../../src/protocols/word/claims.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { translationProtocol, word2Protocol, wordProtocol } from '../protocols.ts';
import { ClaimsFixture, type Held, nameOf, numberOf, workers } from './claims-fixture.ts';

const [first, second] = workers;
const {
  renewItems,
  finishItem,
  finishItems,
  failItem,
  noteOutput,
  returnItem,
  endWorker,
  getWorkInProgress,
  getWorkers,
} = wordClaims;

forEachEngine((engine) => {
  // The two versions of conversion differ in nothing that a claim sees.
  const conversion = engine === 'sqlite' ? [wordProtocol, word2Protocol] : [word2Protocol];
  for (const protocol of [translationProtocol, ...conversion]) {
    describe(`claims of ${protocol.kind.name}`, () => {
      const jobs = new ClaimsFixture(engine, protocol);

      test('a claim starts items in the order of proc_GetConversionBatch, and no other claim gets them', async () => {
        await jobs.submittedJob(2n, 2);
        jobs.clock.advance(10);
        await jobs.submittedJob(1n, 1);
        assert.deepEqual((await jobs.claim(first, 2)).map(nameOf), ['2/1', '2/2']);
        assert.deepEqual((await jobs.claim(second, 2)).map(nameOf), ['1/1']);
        assert.deepEqual(await jobs.claim(second, 2), []);
        assert.deepEqual(await jobs.handedOutPlainly(), []);
        assert.deepEqual(await jobs.status(2n), [2, 0, 0, 2, 0, 0, 0]);
      });

      test('a claim tells what is needed to work on the items, a row a group', async () => {
        await jobs.submittedJob(1n, 3);
        const sets = await jobs.claimWithGroups(first, 3);
        assert.equal(sets.Groups.length, 1);
        const [group] = sets.Groups;
        assert.deepEqual([group?.JobId, group?.GroupId, group?.InputRoot, group?.OutputRoot], [1n, 1, 'in', 'out']);
        const [item] = sets.Items;
        assert.deepEqual([item?.InputFile, item?.OutputFile, item?.AttemptsRemaining], ['1.docx', '1.pdf', 1]);
      });

      test('only submitted jobs that are not cancelled are claimed from', async () => {
        await jobs.addJob(1n, 1);
        await jobs.submittedJob(2n, 1);
        await jobs.plain('CancelJob', { JobId: 2n });
        assert.deepEqual(await jobs.claim(first, 5), []);
      });

      test('who holds an item finishes it, once', async () => {
        await jobs.submittedJob(1n, 1);
        const item = await jobs.claimOne(first);
        await jobs.client.call(finishItem, item);
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 0, 1, 0, 0]);
        assert.equal(await numberOf(jobs.client.call(finishItem, item)), 50101);
      });

      test('who holds an item notes its output, and the next one that holds it hears what was noted', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 2 });
        const noted = async (item: Held, Digest: string | null = null) =>
          (await jobs.client.call(noteOutput, { ...item, Digest })).output.Noted;
        const item = await jobs.claimOne(first);
        assert.equal(await noted(item, 'A'.repeat(64)), null);
        assert.equal(await noted(item), 'a'.repeat(64), 'NULL leaves it as it is');
        for (const wrong of ['a', 'g'.repeat(64)]) assert.equal(await numberOf(noted(item, wrong)), 50000);
        await jobs.client.call(returnItem, item);
        assert.equal(await numberOf(noted(item, 'b'.repeat(64))), 50101);
        assert.equal(await noted(await jobs.claimOne(second)), 'a'.repeat(64));
      });

      test('who holds many items finishes them at once; those that are lost are listed and left alone', async () => {
        // Enough of one group that they are finished together; an item of another group, and one twice, are not.
        await jobs.submittedJob(1n, 60);
        await jobs.submittedJob(2n, 1);
        const listed = (items: readonly Held[]) =>
          JSON.stringify(
            items.map((each) => ({ job: `${each.JobId}`, group: 1, item: each.ItemId, lease: `${each.Lease}` })),
          );
        const items = await jobs.claim(first, 61);
        const [given, ...rest] = items;
        assert.ok(given);
        await jobs.client.call(returnItem, given);
        const { sets } = await jobs.client.call(finishItems, { Items: listed([...items, ...rest.slice(0, 1)]) });
        assert.deepEqual(sets.Lost, [{ JobId: given.JobId, GroupId: 1, ItemId: given.ItemId }]);
        assert.deepEqual(await jobs.status(1n), [60, 0, 1, 0, 59, 0, 0]);
        assert.deepEqual(await jobs.status(2n), [1, 0, 0, 0, 1, 0, 0]);
        const again = await jobs.client.call(finishItems, { Items: listed(rest) });
        assert.deepEqual(again.sets.Lost.map(nameOf), rest.map(nameOf));
        for (const Items of ['', '{}', '[1]', '[{"job":1}]', '[{"job":1,"group":1,"item":-1,"lease":1}]']) {
          assert.equal(await numberOf(jobs.client.call(finishItems, { Items })), 50000);
        }
      });

      test('an item that failed goes back into the line while attempts are left, and ends then', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 2 });
        const failed = { NoRetry: false, ErrorCode: 101, Message: 'It is broken.' };
        await jobs.client.call(failItem, { ...(await jobs.claimOne(first)), ...failed });
        assert.deepEqual(await jobs.status(1n), [1, 0, 1, 0, 0, 0, 0]);
        const again = await jobs.claimOne(second);
        assert.equal(again.AttemptsRemaining, 0);
        await jobs.client.call(failItem, { ...again, ...failed });
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 0, 0, 1, 0]);
      });

      test('an item that is given back is claimed again, and that was no attempt', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 1 });
        const item = await jobs.claimOne(first);
        assert.equal(item.AttemptsRemaining, 0);
        await jobs.client.call(returnItem, item);
        assert.equal((await jobs.claimOne(second)).AttemptsRemaining, 0);
        assert.equal(await numberOf(jobs.client.call(returnItem, item)), 50101);
      });

      test('a lease that ran out makes the item free, and its worker can neither report nor renew nor give back', async () => {
        await jobs.submittedJob(1n, 1);
        const lost = await jobs.claimOne(first, 1);
        await jobs.leaseRunsOut();
        for (const call of [
          () => jobs.client.call(finishItem, lost),
          () => jobs.client.call(failItem, { ...lost, NoRetry: true, ErrorCode: 1 }),
          () => jobs.client.call(returnItem, lost),
        ]) {
          assert.equal(await numberOf(call()), 50101);
        }
        assert.deepEqual((await jobs.client.call(renewItems, { Worker: first })).sets.Items, []);
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 1, 0, 0, 0]);
        const taken = await jobs.claimOne(second);
        assert.ok(taken.Lease > lost.Lease, 'the number of a lease rises');
        assert.equal(await numberOf(jobs.client.call(finishItem, lost)), 50101);
        await jobs.client.call(finishItem, taken);
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 0, 1, 0, 0]);
      });

      test('an item whose lease ran out and that has no attempt left ends with the error 1', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 1 });
        await jobs.claimOne(first, 1);
        await jobs.leaseRunsOut();
        assert.deepEqual(await jobs.claim(second), []);
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 0, 0, 1, 0]);
      });

      test('upkeep ends what nobody would claim again, and forgets leases in cancelled jobs', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 1 });
        jobs.clock.advance(10);
        await jobs.submittedJob(2n, 1);
        await jobs.claim(first, 2, { LeaseSeconds: 1 });
        await jobs.plain('CancelJob', { JobId: 2n });
        await jobs.leaseRunsOut();
        await jobs.upkeep();
        assert.deepEqual(await jobs.status(1n), [1, 0, 0, 0, 0, 1, 0]);
        const { sets } = await jobs.client.call(wordClaims.getItemStates, { JobId: 1n, FailedOnly: true });
        assert.deepEqual(
          sets.Items.map(({ ErrorCode, Message }) => [ErrorCode, Message !== null]),
          [[1, true]],
        );
        assert.deepEqual(await jobs.leased(), []);
      });

      test('a renewal lists what the worker holds, with jobs that were cancelled meanwhile, and nothing of others', async () => {
        await jobs.submittedJob(1n, 1);
        jobs.clock.advance(10);
        await jobs.submittedJob(2n, 2);
        const mine = await jobs.claim(first, 2);
        const theirs = await jobs.claim(second, 1);
        await jobs.plain('CancelJob', { JobId: 1n });
        const { sets } = await jobs.client.call(renewItems, { Worker: first, LeaseSeconds: 1000 });
        const held = sets.Items.map((item) => [nameOf(item), item.Lease, item.Canceled]).sort();
        assert.deepEqual(held, [
          ['1/1', mine[0]?.Lease, true],
          ['2/1', mine[1]?.Lease, false],
        ]);
        for (const item of [...mine, ...theirs]) await jobs.client.call(finishItem, item);
        assert.deepEqual(await jobs.status(2n), [2, 0, 0, 0, 2, 0, 0]);
      });

      test('a worker that ends gives back all that it holds, and is there no longer', async () => {
        await jobs.submittedJob(1n, 3);
        await jobs.claim(first, 2, { Name: 'press' });
        await jobs.claimOne(second);
        const there = async () =>
          (await jobs.client.call(getWorkers, {})).sets.Workers.map(({ Name, Items }) => [Name, Items]);
        assert.deepEqual(await there(), [
          [null, 1],
          ['press', 2],
        ]);
        await jobs.client.call(endWorker, { Worker: first });
        assert.deepEqual(await there(), [[null, 1]]);
        assert.deepEqual(await jobs.handedOutPlainly(), ['1/1', '1/2']);
      });

      test('who works on what is listed, plain clients among them', async () => {
        await jobs.submittedJob(1n, 2);
        await jobs.startPlainly({ JobId: 1n, ItemId: 1 });
        await jobs.claim(first, 2, { Name: 'press' });
        const { sets } = await jobs.client.call(getWorkInProgress, {});
        assert.deepEqual(
          sets.Items.map((item) => [nameOf(item), item.Name, item.LeaseUntil !== null]),
          [
            ['1/1', null, false],
            ['1/2', 'press', true],
          ],
        );
      });

      test('a claim may keep to the jobs whose settings are Granary’s own', async () => {
        await jobs.submittedJob(1n, 1);
        assert.deepEqual(await jobs.claim(first, 5, { Own: true }), []);
        jobs.clock.advance(10);
        await jobs.submittedJob(2n, 1, { Settings: '<settings xmlns="urn:granary:job-settings" to="pdf"/>' });
        assert.deepEqual((await jobs.claim(first, 5, { Own: true })).map(nameOf), ['2/1']);
        assert.deepEqual((await jobs.claim(first, 5)).map(nameOf), ['1/1']);
      });

      test('numbers that are out of range are refused', async () => {
        assert.equal(await numberOf(jobs.claim(first, 0)), 50000);
        assert.equal(await numberOf(jobs.claim(first, 1001)), 50000);
        assert.equal(await numberOf(jobs.claim(first, 1, { LeaseSeconds: 0 })), 50000);
        assert.equal(await numberOf(jobs.client.call(renewItems, { Worker: first, LeaseSeconds: 86_401 })), 50000);
      });

      test('an item that a plain client has started is not claimed, unless it is stale by the threshold given', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 4 });
        await jobs.startPlainly({ JobId: 1n, ItemId: 1 });
        assert.deepEqual(await jobs.claim(first), []);
        assert.deepEqual(await jobs.claim(first, 1, { InProgressThreshold: new Date(0) }), []);
        jobs.clock.advance(60_000);
        const threshold = () => ({ LeaseSeconds: 1000, InProgressThreshold: jobs.clock.now() });
        assert.deepEqual((await jobs.claim(first, 1, threshold())).map(nameOf), ['1/1']);
        jobs.clock.advance(60_000);
        assert.deepEqual(await jobs.claim(second, 1, threshold()), [], 'what is claimed is not stale');
      });

      test('a plain client that starts, ends or puts back a claimed item takes it from its worker', async () => {
        await jobs.submittedJob(1n, 3);
        const held = await jobs.claim(first, 3);
        await jobs.startPlainly({ JobId: 1n, ItemId: 1 });
        await jobs.plain('UpdateSucceededItem', { JobId: 1n, GroupId: 1, ItemId: 2 });
        await jobs.plain('UpdateFailedItem', { JobId: 1n, GroupId: 1, ItemId: 3, NoRetry: false, ErrorCode: 7 });
        for (const item of held) assert.equal(await numberOf(jobs.client.call(finishItem, item)), 50101);
        assert.deepEqual((await jobs.client.call(renewItems, { Worker: first })).sets.Items, []);
        assert.deepEqual(await jobs.status(1n), [3, 0, 1, 1, 1, 0, 0]);
        assert.deepEqual((await jobs.claim(second)).map(nameOf), ['1/3']);
      });

      test('a claimed item is in progress to plain clients, and stale by their own threshold', async () => {
        await jobs.submittedJob(1n, 1);
        await jobs.claimOne(first, 1000);
        assert.deepEqual(await jobs.handedOutPlainly(jobs.clock.now()), []);
        jobs.clock.advance(60_000);
        assert.deepEqual(await jobs.handedOutPlainly(jobs.clock.now()), ['1/1']);
      });

      test('a job of the same JobId as one that was deleted knows nothing of its leases', async () => {
        await jobs.submittedJob(1n, 1);
        const old = await jobs.claimOne(first);
        await jobs.plain('JobsExpire', { JobId: 1n, IncludeActiveJobs: true });
        jobs.clock.advance(10);
        await jobs.submittedJob(1n, 1);
        const item = await jobs.claimOne(second);
        assert.equal(await numberOf(jobs.client.call(finishItem, old)), 50101);
        await jobs.client.call(finishItem, item);
      });
    });
  }

  describe('claims of translation', () => {
    const jobs = new ClaimsFixture(engine, translationProtocol);

    test('an interleaved claim deals evenly among partitions, as proc_GetConversionBatchInterleaved does', async () => {
      const partition = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
      await jobs.submittedJob(1n, 3);
      jobs.clock.advance(10);
      await jobs.submittedJob(2n, 3, { PartitionId: partition });
      const { sets } = await jobs.client.call(translationClaims.claimItems, {
        Worker: first,
        Count: 4,
        Interleaved: true,
      });
      assert.deepEqual(sets.Items.map(nameOf), ['1/1', '2/1', '1/2', '2/2']);
      assert.deepEqual(
        sets.Groups.map(({ PartitionId }) => PartitionId),
        [null, partition],
      );
    });
  });
});
