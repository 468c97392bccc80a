import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { SqlError } from '../../../../src/base/messages/sql-error.ts';
import { wordClaims } from '../../../../src/protocols/word/claims.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { word2Protocol } from '../protocols.ts';
import { ClaimsFixture, type Held, nameOf } from './claims-fixture.ts';

const { finishItem, finishItems, failItem, returnItem, endWorker } = wordClaims;
const jobsOfFour = 4;
const members = 12;
/** GRANARY_CLAIMED_ITEMS makes it longer. */
const items = Number(process.env['GRANARY_CLAIMED_ITEMS'] ?? 100);

forEachEngine((engine) => {
  describe('many workers that claim', () => {
    const jobs = new ClaimsFixture(engine, word2Protocol);

    test('work on no item at the same time, and lose none; some give back, some fail, some die', async () => {
      for (let JobId = 1n; JobId <= jobsOfFour; JobId += 1n) {
        await jobs.submittedJob(JobId, items / jobsOfFour, { attempts: 100 });
      }
      const held = new Map<string, string>();
      const done: string[] = [];
      let turn = 0;

      /** Does what its turn says with an item that it holds. */
      const handle = async (worker: string, item: Held, others: readonly Held[]): Promise<'goes on' | 'dies'> => {
        const name = nameOf(item);
        const what = turn++ % 10;
        // From here on another may have it: the server answers after it is free.
        held.delete(name);
        if (what === 3) await jobs.client.call(returnItem, item);
        else if (what === 5) await jobs.client.call(failItem, { ...item, NoRetry: false, ErrorCode: 1 });
        else if (what === 7) {
          for (const other of others) held.delete(nameOf(other));
          await jobs.client.call(endWorker, { Worker: worker });
          return 'dies';
        } else {
          await jobs.client.call(finishItem, item);
          done.push(name);
        }
        return 'goes on';
      };

      /** One worker after another, until nothing is left. */
      const work = async (): Promise<void> => {
        for (let worker = randomUUID() as string; done.length < items; ) {
          const claimed = await jobs.claim(worker, 3);
          for (const name of claimed.map(nameOf)) {
            assert.equal(held.get(name), undefined, `${name} is held once`);
            held.set(name, worker);
          }
          if (claimed.length === 0) await jobs.wait(50);
          for (const item of claimed) {
            const others = claimed.slice(claimed.indexOf(item) + 1);
            if ((await handle(worker, item, others)) === 'goes on') continue;
            // What it had besides is another's by now.
            for (const other of others) {
              const late = await jobs.client.call(finishItem, other).catch((error: unknown) => error);
              assert.ok(late instanceof SqlError && late.number === 50101);
            }
            worker = randomUUID();
            break;
          }
        }
      };
      await Promise.all(Array.from({ length: members }, work));
      assert.equal(new Set(done).size, items, 'each is done');
      assert.equal(done.length, items, 'each is done once');
      for (let JobId = 1n; JobId <= jobsOfFour; JobId += 1n) {
        const each = items / jobsOfFour;
        assert.deepEqual(await jobs.status(JobId), [each, 0, 0, 0, each, 0, 0]);
      }
      assert.deepEqual(await jobs.brokenRules(), []);
    });

    test('finish many at once while groups are added and others give back: none is lost or done twice', async () => {
      const each = items / 4;
      await jobs.submittedJob(1n, each, { attempts: 100 });
      const done: string[] = [];
      const total = 4 * each;
      const add = async (): Promise<void> => {
        for (const GroupId of [2, 3, 4]) await jobs.addGroup(1n, GroupId, each, 100);
      };
      const work = async (_: unknown, member: number): Promise<void> => {
        const worker = randomUUID();
        while (done.length < total) {
          const claimed = await jobs.claim(worker, 10);
          const [first, ...others] = claimed;
          if (first === undefined) await jobs.wait(50);
          else if (member % 3 === 0 && done.length < total / 2) await jobs.client.call(endWorker, { Worker: worker });
          else {
            const held = [first, ...others].map((item) => ({
              job: `${item.JobId}`,
              group: item.GroupId,
              item: item.ItemId,
              lease: `${item.Lease}`,
            }));
            const { sets } = await jobs.client.call(finishItems, { Items: JSON.stringify(held) });
            assert.deepEqual(sets.Lost, []);
            for (const { group, item } of held) done.push(`${group}/${item}`);
          }
        }
      };
      await Promise.all([add(), ...Array.from({ length: members }, work)]);
      assert.equal(new Set(done).size, total, 'each is done');
      assert.equal(done.length, total, 'each is done once');
      assert.deepEqual(await jobs.status(1n), [total, 0, 0, 0, total, 0, 0]);
      assert.deepEqual(await jobs.brokenRules(), []);
    });

    test('share the items with clients of the protocol: what these start is not claimed, and none is lost', async () => {
      await jobs.submittedJob(1n, items, { attempts: 1 });
      const claimed: string[] = [];
      const work = async (): Promise<void> => {
        const worker = randomUUID();
        for (let got = await jobs.claim(worker, 2); got.length > 0; got = await jobs.claim(worker, 2)) {
          for (const item of got) {
            await jobs.client.call(finishItem, item);
            claimed.push(nameOf(item));
          }
        }
      };
      const plain: string[] = [];
      const dispatch = async (): Promise<void> => {
        for (const ItemId of [items, items - 1, items - 2]) {
          await jobs.startPlainly({ JobId: 1n, ItemId });
          plain.push(`1/${ItemId}`);
        }
      };
      await dispatch();
      await Promise.all(Array.from({ length: members }, work));
      for (const name of plain) assert.equal(claimed.includes(name), false, name);
      assert.equal(new Set([...claimed, ...plain]).size, items);
      assert.deepEqual(await jobs.status(1n), [items, 0, 0, plain.length, items - plain.length, 0, 0]);
    });
  });
});
