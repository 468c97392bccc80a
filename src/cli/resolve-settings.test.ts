import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from './errors.ts';
import { resolveSettings, settingsWith } from './resolve-settings.ts';
import { declarationOf, environmentOf, flagOf, settingKeys } from './settings.ts';

const nothing = { flags: new Map<string, string>(), environment: {}, file: 'no-such-file.json', fileNamed: false };

async function configFile(content: string) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'granary-settings-'));
  const file = join(folder.path, 'granary.config.json');
  await writeFile(file, content);
  return { file, fileNamed: true, [Symbol.asyncDispose]: () => folder.remove() };
}

describe('resolveSettings', () => {
  test('every default is a value of its setting', () => {
    const settings = resolveSettings(nothing);
    assert.equal(settings.host, '127.0.0.1');
    assert.equal(settings.port, 1433);
    assert.equal(settings.engine, 'sqlite');
    assert.equal(settings.encryption, 'auto');
    assert.equal(settings.lockTimeout, -1);
    assert.equal(settings.reportedVersion, '16.0.4135.4');
    assert.equal('saPassword' in settings, false);
  });

  test('a file that an editor on Windows wrote is read too', async () => {
    await using config = await configFile('\uFEFF{ "port": 7 }');
    assert.equal(resolveSettings({ ...nothing, ...config }).port, 7);
  });

  test('a flag goes before the environment, the environment before the file, the file before the default', async () => {
    await using config = await configFile(
      '{ "port": 1, "host": "from-file", "lockTimeout": "5s", "data": "from-file" }',
    );
    const environment = { GRANARY_PORT: '2', GRANARY_HOST: 'from-environment' };
    const settings = resolveSettings({ ...config, environment, flags: new Map([['port', '3']]) });
    assert.equal(settings.port, 3);
    assert.equal(settings.host, 'from-environment');
    assert.equal(settings.data, 'from-file');
    assert.equal(settings.lockTimeout, 5_000);
    assert.equal(settings.packetSize, 4096);
  });

  test('an empty variable counts as unset', () => {
    assert.equal(resolveSettings({ ...nothing, environment: { GRANARY_PORT: '' } }).port, 1433);
  });

  const wrong: readonly [string, string, RegExp][] = [
    ['port', '65536', /^--port: the value '65536' must be a whole number from 0 to 65535\.$/],
    ['port', '14.5', /--port/],
    ['port', '-1', /--port/],
    ['engine', 'mysql://x', /--engine: .*sqlite/],
    ['engine', 'postgres://', /--engine/],
    ['encryption', 'maybe', /one of auto, required, optional, off/],
    ['lock-timeout', '30 parsecs', /--lock-timeout/],
    ['max-batch-size', '1', /a size from 1KB to 1GB/],
    ['reported-version', '16.0', /four numbers/],
    ['reported-version', '300.0.1.1', /four numbers/],
    ['data', '', /--data/],
  ];
  for (const [flag, value, message] of wrong) {
    test(`--${flag} '${value}' is refused with what it must be`, () => {
      const resolve = () => resolveSettings({ ...nothing, flags: new Map([[flag, value]]) });
      assert.throws(resolve, (error) => error instanceof UsageError && message.test(error.message));
    });
  }

  test('a wrong value says where it came from', async () => {
    await using config = await configFile('{ "packetSize": 100 }');
    assert.throws(
      () => resolveSettings({ ...nothing, ...config }),
      /packetSize in .*granary\.config\.json: the value '100'/,
    );
    assert.throws(
      () => resolveSettings({ ...nothing, environment: { GRANARY_LOG_LEVEL: 'loud' } }),
      /^UsageError: GRANARY_LOG_LEVEL/,
    );
  });

  for (const [content, message] of [
    ['{ "prot": 1 }', /there is no setting prot\. Did you mean port\?/],
    ['{ "port": true }', /must be a string or a number/],
    ['[]', /must contain a JSON object/],
    ['{', /cannot be read/],
  ] as const) {
    test(`the file ${content} is refused`, async () => {
      await using config = await configFile(content);
      assert.throws(() => resolveSettings({ ...nothing, ...config }), message);
    });
  }

  test('a file that somebody named must be there', () => {
    assert.throws(() => resolveSettings({ ...nothing, fileNamed: true }), /no-such-file\.json cannot be read/);
  });

  test('a certificate without its key is refused', () => {
    const resolve = () => resolveSettings({ ...nothing, flags: new Map([['tls-cert', 'a.crt']]) });
    assert.throws(resolve, /belong together/);
  });

  test('times and sizes may carry a unit', () => {
    const flags = new Map([
      ['login-timeout', '2m'],
      ['lock-timeout', '250ms'],
      ['max-message-size', '64KB'],
    ]);
    const settings = resolveSettings({ ...nothing, flags });
    assert.deepEqual([settings.loginTimeout, settings.lockTimeout, settings.maxMessageSize], [120_000, 250, 65_536]);
  });

  test('a secret comes from the environment or the file, never from the command line', () => {
    const flags = new Map([['sa-password', 'visible']]);
    assert.equal(resolveSettings({ ...nothing, flags }).saPassword, undefined);
    const environment = { GRANARY_SA_PASSWORD: 'hidden' };
    assert.equal(resolveSettings({ ...nothing, flags, environment }).saPassword, 'hidden');
  });
});

describe('settings', () => {
  test('names derive from the key', () => {
    assert.equal(flagOf('maxMessageSize'), 'max-message-size');
    assert.equal(environmentOf('maxMessageSize'), 'GRANARY_MAX_MESSAGE_SIZE');
  });

  test('every setting says what it is for', () => {
    for (const key of settingKeys) assert.match(declarationOf(key).help, /\.$/, key);
  });

  test('settingsWith takes values over the defaults', () => {
    assert.deepEqual(settingsWith({ port: 0 }), { ...resolveSettings(nothing), port: 0 });
  });
});
