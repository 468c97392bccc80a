import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConnectionHolder, Connections, type Purpose } from './connections.ts';

/** A pool that closes idle connections at once. */
class Holder implements ConnectionHolder {
  readonly schema: string;
  readonly purpose: Purpose;
  restingSince: number | undefined;
  letGone = 0;
  readonly #connections: Connections;

  constructor(connections: Connections, schema: string, purpose: Purpose = 'brief') {
    this.#connections = connections;
    this.schema = schema;
    this.purpose = purpose;
    connections.add(this);
  }

  letGo(): void {
    this.letGone++;
    this.restingSince = undefined;
    this.#connections.leave(this);
  }

  /** Whether it was admitted, after a turn of the event loop. */
  async enters(): Promise<boolean> {
    let isIn = false;
    void this.#connections.enter(this, {}).then(() => {
      isIn = true;
    });
    await new Promise(setImmediate);
    return isIn;
  }
}

describe('Connections', () => {
  test('the limit is never exceeded, except for the server itself', async () => {
    const connections = new Connections(3);
    const [one, own] = [new Holder(connections, 'one'), new Holder(connections, 'system', 'own')];
    for (let count = 0; count < 3; count++) assert.ok(await one.enters());
    assert.equal(await one.enters(), false);
    assert.ok(await own.enters());
    assert.ok(connections.isWanted(one));
  });

  test('the connection that has been idle longest is closed to make room', async () => {
    const connections = new Connections(2);
    const [one, two, three] = ['one', 'two', 'three'].map((schema) => new Holder(connections, schema));
    assert.ok(one && two && three);
    assert.ok((await one.enters()) && (await two.enters()));
    [one.restingSince, two.restingSince] = [20, 10];
    assert.ok(await three.enters());
    assert.deepEqual([one.letGone, two.letGone], [0, 1]);
  });

  test('when the server itself has exceeded the limit, as many idle connections are closed as needed', async () => {
    const connections = new Connections(2);
    const [one, two, three] = ['one', 'two', 'three'].map((schema) => new Holder(connections, schema));
    const own = new Holder(connections, 'system', 'own');
    assert.ok(one && two && three);
    assert.ok((await one.enters()) && (await two.enters()) && (await own.enters()));
    [one.restingSince, two.restingSince] = [20, 10];
    assert.ok(await three.enters());
    assert.deepEqual([one.letGone, two.letGone], [1, 1]);
  });

  test('among waiters, the database with the fewest connections comes first', async () => {
    const connections = new Connections(3);
    const [greedy, other] = [new Holder(connections, 'greedy'), new Holder(connections, 'other')];
    for (let count = 0; count < 3; count++) assert.ok(await greedy.enters());
    const entered: string[] = [];
    for (const holder of [greedy, greedy, other])
      void connections.enter(holder, {}).then(() => entered.push(holder.schema));
    connections.leave(greedy);
    await new Promise(setImmediate);
    assert.deepEqual(entered, ['other']);
  });

  test('lasting uses get at most three quarters, and no idle connection is closed for one that could not use it', async () => {
    const connections = new Connections(8);
    const [lasting, brief] = [new Holder(connections, 'one', 'lasting'), new Holder(connections, 'two')];
    for (let count = 0; count < 6; count++) assert.ok(await lasting.enters());
    assert.equal(await lasting.enters(), false);
    assert.ok((await brief.enters()) && (await brief.enters()));
    assert.equal(connections.isWanted(brief), false);
    assert.ok(connections.isWanted(lasting));
  });

  test('a waiter that gives up takes no connection', async () => {
    const connections = new Connections(1);
    const [one, two] = [new Holder(connections, 'one'), new Holder(connections, 'two')];
    assert.ok(await one.enters());
    const cancel = new AbortController();
    const waiting = connections.enter(two, { signal: cancel.signal });
    cancel.abort(new Error('cancelled'));
    await assert.rejects(waiting, /cancelled/);
    await assert.rejects(connections.enter(two, { until: performance.now() }), { number: 1222 });
    connections.leave(one);
    assert.ok(await one.enters());
  });
});
