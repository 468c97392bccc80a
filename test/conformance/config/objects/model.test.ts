import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Farm, guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';
import { Model, type Put } from './model.ts';

const object = fc.integer({ min: 1, max: 6 });
// Half are roots, so that names meet.
const parent = fc.option(object, { freq: 1 });
const name = fc.constantFrom('a', 'b', 'A ', 'ä', 'Ä');
const classId = fc.constantFrom(0, 0, 0, 1, 2);
const put = { id: object, parent, classId, name };

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), ...put }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      ...put,
      version: fc.constantFrom('present', 'present', 'present', 'stale', 'future'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drop' as const), id: object }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('depend' as const), id: object, on: object }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('changes' as const), mark: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('class' as const), id: classId, base: fc.option(classId) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dropClass' as const), id: fc.constantFrom(1, 2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** One run: the same steps on the server and on the model. Its identifiers are its own, so runs share a database. */
class Run {
  readonly #farm: Farm;
  readonly #group: string;
  readonly #model = new Model();
  /** The version that the server gave each object last, and one before it. */
  readonly #versions = new Map<string, { present: bigint; stale: bigint }>();
  /** Versions that a client may ask from, each with the change of the model that it stands for. */
  readonly #marks: { readonly version: bigint; readonly order: number }[] = [];
  #highest = 0n;

  constructor(farm: Farm, number: number) {
    this.#farm = farm;
    this.#group = number.toString(16);
  }

  async start(): Promise<void> {
    await this.#do({ kind: 'class', id: 0, base: null });
    await this.#do({ kind: 'create', id: 1, parent: null, classId: 0, name: 'a' });
  }

  async take(steps: readonly Step[]): Promise<void> {
    for (const taken of steps) await this.#do(taken);
    for (const mark of this.#marks.keys()) await this.#compareChanges(mark);
  }

  #do(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'create':
        return this.#create(this.#putOf(taken));
      case 'update':
        return this.#update(this.#putOf(taken), taken.version);
      case 'drop':
        return this.#same(this.#farm.drop(this.#id(taken.id)), this.#model.drop(this.#id(taken.id)));
      case 'depend': {
        const [id, on] = [this.#id(taken.id), this.#id(taken.on)];
        return this.#same(this.#farm.depend(id, on), this.#model.depend(id, on));
      }
      case 'class': {
        const [id, base] = [this.#class(taken.id), taken.base === null ? null : this.#class(taken.base)];
        return this.#same(this.#farm.putClass(id, base), this.#model.putClass(id, base));
      }
      case 'dropClass': {
        const id = this.#class(taken.id);
        return this.#same(this.#farm.dropClass(id), this.#model.dropClass(id));
      }
      case 'changes':
        return this.#compareChanges(taken.mark % this.#marks.length);
    }
  }

  #id = (number: number): string => guid(`a${this.#group}`, number);
  #class = (number: number): string => guid(`c${this.#group}`, number);
  #putOf = (taken: { id: number; parent: number | null; classId: number; name: string }): Put => ({
    id: this.#id(taken.id),
    parent: taken.parent === null ? null : this.#id(taken.parent),
    class: this.#class(taken.classId),
    name: taken.name,
  });

  async #same(served: Promise<number | undefined>, expected: number): Promise<void> {
    const code = await served.catch((error: { number: number }) => error.number);
    assert.equal(code, expected);
  }

  async #create(put: Put): Promise<void> {
    const namesake = this.#model.namesake(put);
    const code = this.#model.create(put);
    const served = await this.#send(put, null);
    assert.equal(served.status, code);
    assert.equal(served.existing, code === 2 || code === 0 ? null : (namesake ?? null));
    this.#keep(put.id, served);
  }

  async #update(put: Put, kind: string): Promise<void> {
    const known = this.#versions.get(put.id) ?? { present: 4n, stale: 4n };
    const version = kind === 'present' ? known.present : kind === 'stale' ? known.stale : known.present + 4n;
    const code = this.#model.update(put, version === known.present && this.#model.objects.has(put.id));
    const served = await this.#send(put, version);
    assert.equal(served.status, code);
    assert.equal(served.existing, null);
    this.#keep(put.id, served);
  }

  #send = (put: Put, version: bigint | null) =>
    this.#farm.put(put.id, { ParentId: put.parent, ClassId: put.class, Name: put.name, Version: version });

  #keep(id: string, { status, version }: { status: number | undefined; version: bigint | null }): void {
    if (status !== 0) {
      assert.equal(version, null);
      return;
    }
    assert.ok(version !== null && version > this.#highest, 'a version is above all before it');
    this.#highest = version;
    this.#versions.set(id, { present: version, stale: this.#versions.get(id)?.present ?? version - 4n });
    this.#marks.push({ version, order: this.#model.order });
  }

  async #compareChanges(at: number): Promise<void> {
    const { version = 0n, order = 0 } = this.#marks[at] ?? {};
    const changes = await this.#farm.changesSince(version);
    const expected = this.#model.since(order);
    const { objects, dependents, tombstones } = changes;
    assert.deepEqual(
      objects.map(({ id }) => id),
      expected.objects,
    );
    assert.deepEqual(dependents, expected.dependents);
    assert.deepEqual(tombstones.map(({ id }) => id).sort(), expected.tombstones);
    assert.equal(changes.sets, objects.length + tombstones.length > 0 ? 4 : 0);
    for (const { id, parent, class: classId, name, version: served } of objects) {
      const { order: _, ...modelled } = this.#model.objects.get(id) ?? assert.fail();
      assert.deepEqual({ parent, class: classId, name }, modelled);
      assert.equal(served, this.#versions.get(id)?.present);
    }
    if (changes.lastUpdate === undefined) return;
    const { lastUpdate } = changes;
    assert.ok([...objects, ...tombstones].every((change) => change.version < lastUpdate));
    assert.ok(lastUpdate >= this.#highest);
    if (lastUpdate === this.#highest) return;
    this.#highest = lastUpdate;
    this.#marks.push({ version: lastUpdate, order: this.#model.order });
  }
}

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5: objects, versions, dependencies and tombstones behave as a model of the rules does', () =>
    withFarm(async (farm) => {
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
          const run = new Run(farm, ++number);
          await run.start();
          await run.take(steps);
        }),
        { numRuns: 40 },
      );
    }));
});
