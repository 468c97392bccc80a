import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addJob } from '../../../../src/protocols/translation/add-job.ts';
import { translationClaims } from '../../../../src/protocols/translation/claims.ts';
import { wordClaims } from '../../../../src/protocols/word/claims.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { worker as plainWorker } from '../fixture.ts';
import { translationProtocol, word2Protocol } from '../protocols.ts';
import { ClaimsFixture, workers } from './claims-fixture.ts';

const [first, second] = workers;

forEachEngine((engine) => {
  for (const protocol of [translationProtocol, word2Protocol]) {
    describe(`why items of ${protocol.kind.name} wait`, () => {
      const jobs = new ClaimsFixture(engine, protocol);
      const why = async (JobId: bigint, part: { GroupId?: number; AfterItem?: number; Most?: number } = {}) =>
        (await jobs.client.call(wordClaims.whyItemsWait, { JobId, ...part })).sets.Items;
      const told = async (JobId: bigint) =>
        (await why(JobId)).map(({ ItemId, State, Ahead }) => [ItemId, State, Ahead]);
      const reasons = async (JobId: bigint) => (await why(JobId)).map(({ Reason }) => Reason);

      test('the job is not submitted, or cancelled', async () => {
        await jobs.addJob(1n, 2);
        assert.deepEqual(await told(1n), [
          [1, 'NotSubmitted', null],
          [2, 'NotSubmitted', null],
        ]);
        await jobs.plain('CancelJob', { JobId: 1n });
        assert.equal((await why(1n))[0]?.State, 'Canceled');
      });

      test('no worker is running, or so many items are ahead of it', async () => {
        await jobs.submittedJob(1n, 2);
        jobs.clock.advance(10);
        await jobs.submittedJob(2n, 2);
        assert.deepEqual(await told(2n), [
          [1, 'NoWorker', 2n],
          [2, 'NoWorker', 3n],
        ]);
        await jobs.claim(first, 1);
        assert.deepEqual(await told(2n), [
          [1, 'Behind', 1n],
          [2, 'Behind', 2n],
        ]);
        assert.deepEqual(await reasons(2n), ['1 item is ahead of it.', '2 items are ahead of it.']);
        assert.deepEqual((await reasons(1n))[1], 'It is next in line.');
        assert.deepEqual(
          (await why(2n, { GroupId: 1, AfterItem: 1, Most: 5 })).map(({ ItemId, Ahead }) => [ItemId, Ahead]),
          [[2, 2n]],
        );
        assert.deepEqual(await why(2n, { Most: 0 }), []);
      });

      test('the first items that are not done are told first, whether they are in progress or not', async () => {
        await jobs.submittedJob(1n, 4);
        await jobs.claim(first, 2);
        const some = async (Most: number) => (await why(1n, { Most })).map(({ ItemId, State }) => [ItemId, State]);
        assert.deepEqual(await some(1), [[1, 'InProgress']]);
        const three = [
          [1, 'InProgress'],
          [2, 'InProgress'],
          [3, 'Behind'],
        ];
        assert.deepEqual(await some(3), three);
        assert.deepEqual(await some(9), [...three, [4, 'Behind']]);
      });

      test('a worker that keeps to jobs of Granary’s own is none for other jobs', async () => {
        await jobs.submittedJob(1n, 1);
        await jobs.claim(first, 1, { Own: true });
        assert.deepEqual(await told(1n), [[1, 'NoWorker', 0n]]);
      });

      test('it is in progress since when on which worker, of those who claim and of others', async () => {
        await jobs.submittedJob(1n, 2);
        await jobs.startPlainly({ JobId: 1n, ItemId: 1 });
        await jobs.claim(first, 1, { Name: 'press 1' });
        const [plain, claimed] = await why(1n);
        assert.equal(plain?.State, 'InProgress');
        assert.match(plain?.Reason ?? '', new RegExp(`^In progress since .*Z on ${plainWorker}\\.$`, 'i'));
        assert.match(claimed?.Reason ?? '', /^In progress since .*Z on press 1\.$/);
        assert.ok(claimed?.LeaseUntil);
      });

      test('it failed so often, with which error, and has so many attempts left', async () => {
        await jobs.submittedJob(1n, 1, { attempts: 3 });
        for (const Message of ['No luck.', 'Again no luck.']) {
          const failed = { NoRetry: false, ErrorCode: 4711, Message };
          await jobs.client.call(wordClaims.failItem, { ...(await jobs.claimOne(first)), ...failed });
        }
        const [item] = await why(1n);
        assert.deepEqual(
          [item?.State, item?.Failures, item?.LastError, item?.AttemptsRemaining],
          ['Behind', 2, 4711, 1],
        );
        assert.equal(
          item?.Reason,
          'Failed 2 times, last with error 4711 (Again no luck.); 1 attempt left. It is next in line.',
        );
      });

      test('nothing was heard of its worker', async () => {
        await jobs.submittedJob(1n, 1);
        await jobs.claim(first, 1, { Name: 'press 1', LeaseSeconds: 1 });
        await jobs.leaseRunsOut();
        const [item] = await why(1n);
        assert.equal(item?.State, 'LeaseOver');
        assert.match(
          item?.Reason ?? '',
          /^press 1 has not been heard from, and its lease expired at .*; the next claim takes it over\.$/,
        );
      });

      test('what is done does not wait, and of a job that is not there nothing is told', async () => {
        await jobs.submittedJob(1n, 2);
        await jobs.client.call(wordClaims.finishItem, await jobs.claimOne(second));
        assert.deepEqual((await told(1n)).length, 1);
        assert.deepEqual(await why(404n), []);
      });
    });
  }

  describe('why a job was not added', () => {
    const jobs = new ClaimsFixture(engine, translationProtocol);
    const add = (JobId: bigint, ItemCount: number, MaxItemsPerDay: number) =>
      jobs.client.call(addJob, { JobId, UserToken: Buffer.of(1), Settings: '<settings/>', ItemCount, MaxItemsPerDay });
    const why = async (JobId: bigint) =>
      (await jobs.client.call(translationClaims.whyItemsWait, { JobId })).sets.Items[0];

    test('3.1.5.2: its daily limit is used up until the hour that makes room for it', async () => {
      jobs.clock.set('2030-01-01T10:30:00.000Z');
      await add(1n, 6, 10);
      jobs.clock.set('2030-01-01T12:30:00.000Z');
      await add(2n, 4, 10);
      assert.equal((await add(3n, 5, 10)).outcome, 'limitExceeded');
      assert.equal((await add(4n, 7, 10)).outcome, 'limitExceeded');
      assert.equal((await add(5n, 11, 10)).outcome, 'limitExceeded');
      const refused = await why(3n);
      assert.deepEqual([refused?.State, refused?.ItemId], ['Refused', null]);
      assert.equal(refused?.Until?.toISOString(), '2030-01-02T10:00:00.000Z');
      assert.equal((await why(4n))?.Until?.toISOString(), '2030-01-02T12:00:00.000Z');
      assert.match(refused?.Reason ?? '', /used up until 2030-01-02T10:00:00.000Z/);
      assert.equal((await why(5n))?.Until, null);
      jobs.clock.set('2030-01-02T10:30:00.000Z');
      assert.equal((await add(3n, 5, 10)).outcome, 'added');
      assert.equal(await why(3n), undefined, 'it is there, and has no items yet');
    });
  });
});
