import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobState } from '../../../src/protocols/jobs/progress.ts';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture } from './fixture.ts';
import { translationProtocol, wordProtocol } from './protocols.ts';

for (const protocol of [translationProtocol, wordProtocol]) {
  describe(`JobProgress and granary.TryItemsAgain in ${protocol.kind.name}`, () => {
    forEachEngine((engine) => {
      const jobs = new JobsFixture(engine, protocol);
      const progress = async (id: bigint) => {
        const { sets } = await jobs.client.batch(
          `select State, Items, OpenItems, FailedItems from JobProgress where JobId = ${id}`,
        );
        const [row] = sets[0] ?? [];
        return row && [row['State'], Number(row['Items']), row['OpenItems'], row['FailedItems']];
      };
      const tryAgain = async (given: string) => {
        const { sets } = await jobs.client.batch(
          `declare @n int; exec granary.TryItemsAgain ${given}, @Items = @n output; select @n as n`,
        );
        return sets[0]?.[0]?.['n'];
      };

      test('a job is not submitted, waits, is in progress, is done: its state follows from its items', async () => {
        await jobs.addJob(1n);
        assert.deepEqual(await progress(1n), [jobState.notSubmitted, 0, 0, 0]);
        await jobs.addGroup(1n, 1, [1, 2]);
        await jobs.done('SubmitJob', { JobId: 1n });
        assert.deepEqual(await progress(1n), [jobState.waiting, 2, 2, 0]);
        await jobs.start(1n, 1);
        assert.deepEqual(await progress(1n), [jobState.inProgress, 2, 2, 0]);
        await jobs.succeed(1n, 1);
        assert.deepEqual(await progress(1n), [jobState.waiting, 2, 1, 0]);
        await jobs.start(1n, 2);
        await jobs.succeed(1n, 2);
        assert.deepEqual(await progress(1n), [jobState.done, 2, 0, 0]);
      });

      test('a cancelled job is cancelled, a submitted one without items is empty', async () => {
        await jobs.submittedJob(2n, [1]);
        await jobs.done('CancelJob', { JobId: 2n });
        assert.deepEqual(await progress(2n), [jobState.cancelled, 1, 1, 0]);
        await jobs.addJob(3n);
        await jobs.done('SubmitJob', { JobId: 3n });
        assert.deepEqual(await progress(3n), [jobState.empty, 0, 0, 0]);
      });

      test('items that failed wait again and are handed out; those that succeeded stay as they are', async () => {
        await jobs.submittedJob(4n, [1, 2, 3]);
        await jobs.start(4n, 1, 2, 3);
        await jobs.fail(4n, 1);
        await jobs.fail(4n, 2);
        await jobs.succeed(4n, 3);
        assert.deepEqual(await progress(4n), [jobState.done, 3, 0, 2]);
        assert.equal(await tryAgain('@JobId = 4, @GroupId = 1, @ItemId = 2'), 1);
        assert.deepEqual(await jobs.handedOut(), ['4/1/2']);
        assert.equal(await tryAgain('@JobId = 4'), 1);
        assert.deepEqual(await jobs.handedOut(), ['4/1/1', '4/1/2']);
        assert.equal(await tryAgain('@JobId = 4'), 0);
        assert.deepEqual(await progress(4n), [jobState.waiting, 3, 2, 0]);
        assert.deepEqual(await jobs.status(4n), [3, 0, 2, 0, 1, 0, 0]);
      });

      test('nothing of a cancelled or unknown job is tried again, and the error says why', async () => {
        await jobs.submittedJob(5n, [1]);
        await jobs.done('CancelJob', { JobId: 5n });
        await assert.rejects(tryAgain('@JobId = 5'), /Job 5 is cancelled/);
        await assert.rejects(tryAgain('@JobId = 404'), /There is no job 404/);
        await assert.rejects(tryAgain('@JobId = 5, @ItemId = 1'), /@ItemId means an item of @GroupId/);
      });
    });
  });
}
