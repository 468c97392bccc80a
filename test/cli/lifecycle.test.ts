import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createListener } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lockDataFolder } from '../../src/cli/data-lock.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createServer } from '../../src/main.ts';
import { StartError } from '../../src/start-error.ts';
import { temporaryFolder } from './granary.ts';
import { canLogIn } from './login.ts';

const atStep = (step: StartError['step']) => (error: unknown) => error instanceof StartError && error.step === step;

describe('createServer', () => {
  test('starts, stops, and stops again without harm', async () => {
    await using folder = await temporaryFolder();
    const settings = settingsWith({ port: 0, data: folder.path, saPassword: 'x' });
    await using first = createServer(settings);
    assert.throws(() => first.port, /has not started/);
    await first.start();
    assert.deepEqual(first.firstStart, {});
    assert.equal(await canLogIn(first.port, 'sa', 'x'), true);
    await first.stop();
    await first.stop();
    await using second = createServer(settings);
    await second.start();
    assert.equal(second.firstStart, undefined);
    assert.equal(await canLogIn(second.port, 'sa', 'x'), true);
  });

  test('a start that fails at its last step leaves nothing running and nothing locked', async () => {
    await using folder = await temporaryFolder();
    const occupant = createListener().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await using granary = createServer(settingsWith({ port, data: folder.path }));
    await assert.rejects(granary.start(), atStep('listen'));
    using _lock = await lockDataFolder(folder.path, 0);
    occupant.close();
  });

  test('a certificate that is none stops the start before anything is made', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'server.pem');
    await writeFile(file, 'not a certificate');
    const settings = settingsWith({ port: 0, data: join(folder.path, 'data'), tlsCert: file, tlsKey: file });
    await using granary = createServer(settings);
    await assert.rejects(granary.start(), atStep('certificate'));
  });
});
