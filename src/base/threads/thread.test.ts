import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Thread, ThreadEnded } from './thread.ts';

/** Does what it is asked; each answer is the number of its thread. */
const obedient = script(`
  import { parentPort, threadId } from 'node:worker_threads';
  const deeds = {
    answer: () => parentPort.postMessage({ answer: threadId }),
    refuse: () => parentPort.postMessage({ failure: new RangeError('refused') }),
    crash: () => { throw new TypeError('crashed'); },
    exit: () => process.exit(3),
    hang: () => { for (;;); },
    linger: () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600); parentPort.postMessage({ answer: threadId }); },
    hoard: () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); },
    buffers: () => {
      const all = [];
      for (;;) {
        all.push(Buffer.alloc(1 << 20, 1));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    },
  };
  parentPort.on('message', (deed) => deeds[deed]());
  setImmediate(() => parentPort.postMessage('loaded'));
`);

type Deed = 'answer' | 'refuse' | 'crash' | 'exit' | 'hang' | 'linger' | 'hoard' | 'buffers';

function script(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

const startOf = (): Promise<[Worker]> => once(process, 'worker') as Promise<[Worker]>; // what Node emits there

class Obedient extends Thread<Deed, number> implements AsyncDisposable {
  constructor(options: ConstructorParameters<typeof Thread>[1] = {}) {
    super(obedient, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

describe('Thread', () => {
  test('answers requests one after another from one thread, which starts with the first', async () => {
    await using thread = new Obedient();
    const started = startOf();
    const answers = await Promise.all([thread.run('answer'), thread.run('answer'), thread.run('answer')]);
    const [{ threadId }] = await started;
    assert.deepEqual(answers, [threadId, threadId, threadId]);
  });

  test('rejects with what a request threw, and goes on', async () => {
    await using thread = new Obedient();
    const first = await thread.run('answer');
    await assert.rejects(thread.run('refuse'), { name: 'RangeError', message: 'refused' });
    assert.equal(await thread.run('answer'), first);
  });

  test('who cancels takes back what waits; what a thread that is kept works on goes on, with all that it holds', async () => {
    await using thread = new Obedient({ isKept: true });
    const first = await thread.run('answer');
    const gone = new AbortController();
    const cancelled = [thread.run('linger', { signal: gone.signal }), thread.run('hang', { signal: gone.signal })];
    gone.abort(new Error('gone'));
    for (const each of await Promise.allSettled(cancelled)) assert.equal(each.status, 'rejected');
    assert.equal(await thread.run('answer'), first, 'the same thread, which never got what was taken back');
  });

  test('a crash fails the request that is in the thread; those behind it get another thread', async () => {
    const crashes: ThreadEnded[] = [];
    await using thread = new Obedient({ onCrash: (error) => crashes.push(error) });
    const first = await thread.run('answer');
    const crash = assert.rejects(thread.run('crash'), (error: Error) => {
      assert.ok(error instanceof ThreadEnded && !error.isOutOfMemory);
      assert.equal((error.cause as Error).message, 'crashed');
      return true;
    });
    const behind = thread.run('answer');
    await crash;
    assert.notEqual(await behind, first);
    assert.equal(crashes.length, 1);
  });

  test('a thread that ends by itself fails its request with the exit code', async () => {
    await using thread = new Obedient();
    await assert.rejects(thread.run('exit'), { name: 'ThreadEnded', message: /code 3/ });
    assert.ok(await thread.run('answer'));
  });

  test('tells when a request needed more memory than the thread may have', async () => {
    await using thread = new Obedient({ resourceLimits: { maxOldGenerationSizeMb: 16 } });
    await assert.rejects(thread.run('hoard'), (error) => error instanceof ThreadEnded && error.isOutOfMemory);
    assert.ok(await thread.run('answer'));
  });

  test('buffers count as memory, which are not on the heap', async () => {
    await using thread = new Obedient({ most: 64 << 20 });
    const first = await thread.run('answer');
    await assert.rejects(thread.run('buffers'), (error) => error instanceof ThreadEnded && error.isOutOfMemory);
    assert.notEqual(await thread.run('answer'), first);
  });

  test('a thread that cannot be loaded fails each request', async () => {
    const broken = new Thread<string, string>(script('throw new SyntaxError("no script")'));
    for (let tries = 0; tries < 2; tries++) {
      await assert.rejects(broken.run('anything'), (error: Error) => {
        assert.equal((error.cause as Error).message, 'no script');
        return true;
      });
    }
    await broken.stop();
  });

  test('a cancelled request does not wait for the thread, nor do those behind it', async () => {
    await using thread = new Obedient();
    const [current, waiting] = [new AbortController(), new AbortController()];
    const first = await thread.run('answer');
    const hanging = thread.run('hang', { signal: current.signal });
    const queued = thread.run('crash', { signal: waiting.signal });
    const behind = thread.run('answer');
    waiting.abort(new Error('cancelled in the queue'));
    await assert.rejects(queued, { message: 'cancelled in the queue' });
    current.abort(new Error('cancelled in the thread'));
    await assert.rejects(hanging, { message: 'cancelled in the thread' });
    assert.notEqual(await behind, first, 'nothing but its end stops a thread');
    await assert.rejects(thread.run('answer', { signal: current.signal }), { message: 'cancelled in the thread' });
  });

  test('a thread that finishes soon what was cancelled is kept, and the answer goes to nobody', async () => {
    await using thread = new Obedient();
    const first = await thread.run('answer');
    const cancel = new AbortController();
    const cancelled = assert.rejects(thread.run('refuse', { signal: cancel.signal }), { message: 'cancelled' });
    cancel.abort(new Error('cancelled'));
    await cancelled;
    assert.equal(await thread.run('answer'), first);
  });

  test('ends when it rests, and starts again when it is needed', async () => {
    await using thread = new Obedient({ idleTime: 1 });
    const started = startOf();
    const first = await thread.run('answer');
    const [worker] = await started;
    await once(worker, 'exit');
    assert.notEqual(await thread.run('answer'), first);
  });

  test('a stop fails the request in the thread and those behind it, and is over when the thread is gone', async () => {
    const thread = new Obedient();
    const started = startOf();
    await thread.run('answer');
    const [worker] = await started;
    let gone = false;
    worker.once('exit', () => {
      gone = true;
    });
    const failed = ['hang', 'answer'].map((deed) => assert.rejects(thread.run(deed as Deed), { name: 'ThreadEnded' }));
    await thread.stop();
    assert.ok(gone);
    await Promise.all(failed);
    await assert.rejects(thread.run('answer'), { name: 'ThreadEnded' });
    await thread.stop();
  });

  test('a stop lets the thread load before it is terminated, which V8 does not survive otherwise', async () => {
    const leaf = script('await new Promise(setImmediate)');
    const slow = script(`
      import ${JSON.stringify(leaf.href)};
      import { parentPort } from 'node:worker_threads';
      setImmediate(() => parentPort.postMessage('loaded'));
    `);
    const thread = new Thread<string, string>(slow);
    const started = startOf();
    const failed = assert.rejects(thread.run('anything'), { name: 'ThreadEnded' });
    const [worker] = await started;
    const events: string[] = [];
    worker.once('message', () => events.push('loaded'));
    worker.once('exit', () => events.push('gone'));
    await thread.stop();
    await failed;
    assert.deepEqual(events, ['loaded', 'gone']);
  });
});
