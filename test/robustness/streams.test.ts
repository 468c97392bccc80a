import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEngineOfRun } from '../support/long-run.ts';
import { answers } from './support/lab-server.ts';
import { ServedLab } from './support/served-lab.ts';
import { call, flat, veryManyRows, warmUp } from './support/streaming.ts';
import { errors } from './support/tokens.ts';
import { until } from './support/until.ts';

/** More rows than anybody reads to the end. */
const endless = 100_000_000;

forEngineOfRun((engine) => {
  describe('rows that stream', () => {
    let lab: ServedLab;
    before(async () => {
      lab = await ServedLab.start(engine);
      await warmUp(lab);
    });
    after(() => lab[Symbol.asyncDispose]());

    test('hundreds of thousands of rows do not sit in memory, and others are served meanwhile', async () => {
      await using other = await lab.connect();
      await veryManyRows(lab, 'lab_Select', () => answers(other));
    });

    for (const [tls, way] of [
      [false, 'without TLS'],
      [true, 'with TLS'],
    ] as const) {
      test(`a reader ${way} that does not read stops the server, whose memory stays flat`, async () => {
        await using client = await lab.connect({ tls });
        await using other = await lab.connect();
        await flat(lab, async () => {
          client.socket.pause();
          client.sendRpc(call('lab_Select', endless));
          for (let turn = 0; turn < 100; turn++) await answers(other);
        });
      });

      test(`a reader ${way} that rests now and then gets every row`, async () => {
        await using client = await lab.connect({ tls });
        client.sendRpc(call('lab_Select', 30_000));
        let rows = 0;
        const ended = await client.each((token) => {
          if (token.token !== 'row' || ++rows % 3000 !== 0) return;
          client.socket.pause();
          setTimeout(() => client.socket.resume(), 10);
        });
        assert.deepEqual([ended, rows], [true, 30_000]);
      });
    }

    test('several readers that do not read keep nobody from being served', async () => {
      await using readers = new AsyncDisposableStack();
      for (let count = 0; count < 3; count++) {
        const reader = readers.use(await lab.connect());
        reader.socket.pause();
        reader.sendRpc(call('lab_Select', endless));
      }
      await using other = await lab.connect();
      for (let turn = 0; turn < 100; turn++) await answers(other);
      other.sendRpc(call('lab_Select', 1000));
      assert.deepEqual(errors(await other.tokens()), []);
      await readers.disposeAsync();
      await until('only one client is left', async () => (await lab.health()).connections === 1);
    });
  });
});
