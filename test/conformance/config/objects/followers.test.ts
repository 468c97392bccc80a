import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Farm, guid, type StoredObject } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const writers = 16;
const readers = 8;
const changesEach = 25;
const identifiers = 40;

/** A number generator with a seed, so that a failure can be run again. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Stores, changes, ties and removes shared objects; returns the versions it was given. */
async function write(farm: Farm, seed: number): Promise<bigint[]> {
  const roll = dice(seed);
  const versions: bigint[] = [];
  for (let at = 0; at < changesEach; at++) {
    const id = guid('a', roll(identifiers));
    const other = guid('a', roll(identifiers));
    const present = await farm.object(id);
    const more = { Status: seed * 1000 + at, Name: `${id} ${roll(3)}`, ParentId: roll(3) === 0 ? other : null };
    const kind = roll(10);
    if (kind < 7) {
      const { version } = await farm.put(id, { ...more, Version: present?.version ?? null });
      if (version !== null) versions.push(version);
    } else {
      // 547 is an answer like others here: something depends on it.
      await (kind < 9 ? farm.drop(id) : farm.depend(id, other)).catch((error) => assert.equal(error.number, 547));
    }
  }
  return versions;
}

/** A client's copy of all objects, kept up with proc_getNewObjects alone. */
class Follower {
  readonly copy = new Map<string, StoredObject>();
  readonly #farm: Farm;
  /** Half of the followers remember LastUpdate, the others the highest version that they saw. */
  readonly #byMark: boolean;
  #newest = 0n;

  constructor(farm: Farm, byMark: boolean) {
    this.#farm = farm;
    this.#byMark = byMark;
  }

  async poll(): Promise<void> {
    const { status, sets, objects, tombstones, lastUpdate = 0n } = await this.#farm.changesSince(this.#newest);
    assert.equal(status, 0);
    if (sets === 0) return;
    let highest = this.#newest;
    for (const object of objects) {
      assert.ok(object.version > this.#newest && object.version < lastUpdate);
      assert.ok(object.version > (this.copy.get(object.id)?.version ?? 0n), 'a version never goes back');
      this.copy.set(object.id, object);
      if (object.version > highest) highest = object.version;
    }
    for (const { id, version } of tombstones) {
      assert.ok(version > this.#newest && version < lastUpdate);
      this.copy.delete(id);
      if (version > highest) highest = version;
    }
    this.#newest = this.#byMark ? lastUpdate : highest;
  }
}

const sorted = (objects: Iterable<StoredObject>) => [...objects].sort((one, other) => (one.id < other.id ? -1 : 1));

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.25: readers that follow 16 writers miss no object and no tombstone', () =>
    withFarm(async (farm, { connect }) => {
      let writing = true;
      const followers = await Promise.all(
        Array.from({ length: readers }, async (_, at) => new Follower(await connect(), at % 2 === 0)),
      );
      const following = followers.map(async (follower) => {
        while (writing) await follower.poll();
        await follower.poll();
      });
      const clients = await Promise.all(Array.from({ length: writers }, connect));
      const given = await Promise.all(clients.map((client, at) => write(client, at + 1))).finally(() => {
        writing = false;
      });
      await Promise.all(following);

      for (const versions of given) {
        assert.deepEqual(
          versions,
          versions.toSorted((one, other) => (one < other ? -1 : 1)),
          'rising for each writer',
        );
      }
      assert.equal(new Set(given.flat()).size, given.flat().length, 'no version was given twice');
      const { objects, tombstones } = await farm.changesSince(0n);
      assert.ok(objects.length > 0 && tombstones.length > 0, 'the writers left objects and tombstones');
      for (const follower of followers) assert.deepEqual(sorted(follower.copy.values()), sorted(objects));
    }));
});
