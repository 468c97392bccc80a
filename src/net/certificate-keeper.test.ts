import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonLog } from '../base/log/log.ts';
import { CertificateKeeper } from './certificate-keeper.ts';
import { type KeyPair, selfSigned } from './self-signed.ts';

const start = new Date('2026-01-01T00:00:00Z');
const days = (count: number): Date => new Date(start.getTime() + count * 86_400_000);

/** A keeper of what `files` holds, at the moment `at`. */
async function keeping(first: KeyPair) {
  const state = { at: start, files: first as KeyPair | Error };
  const lines: Record<string, unknown>[] = [];
  const keeper = await CertificateKeeper.open({
    async read() {
      if (state.files instanceof Error) throw state.files;
      return state.files;
    },
    file: '/etc/granary/server.pem',
    clock: { now: () => state.at },
    log: jsonLog((line) => lines.push(JSON.parse(line)), 'info'),
  });
  return { state, lines, keeper, messages: () => lines.map(({ message }) => message) };
}

describe('CertificateKeeper', () => {
  test('takes up a pair that was put in the place of the first, and tells all who show it', async () => {
    const [old, fresh] = [await selfSigned(['a'], start), await selfSigned(['a'], start)];
    const { keeper, state, messages } = await keeping(old);
    const shown: KeyPair[] = [];
    keeper.onRenewal((pair) => shown.push(pair));
    await keeper.look();
    assert.deepEqual(shown, []);
    state.files = fresh;
    await keeper.look();
    await keeper.look();
    assert.deepEqual(shown, [fresh]);
    assert.equal(keeper.pair, fresh);
    assert.deepEqual(messages(), ['a new certificate is in use']);
  });

  test('goes on with the old pair while the files hold none, and says so when it stays like that', async () => {
    const old = await selfSigned(['a'], start);
    const { keeper, state, messages, lines } = await keeping(old);
    state.files = new Error('The key in k is not that of the certificate in c.');
    await keeper.look();
    assert.deepEqual(messages(), [], 'whoever renews is between two files');
    await keeper.look();
    assert.deepEqual(messages(), ['a new certificate cannot be used, the old one stays in use']);
    assert.match(String(lines[0]?.['reason']), /The key in k is not that/);
    assert.equal(keeper.pair, old);
  });

  test('goes on with the old pair where TLS refuses the new one', async () => {
    const old = await selfSigned(['a'], start);
    const { keeper, state } = await keeping(old);
    keeper.onRenewal(() => {
      throw new Error('ee key too small');
    });
    state.files = await selfSigned(['a'], start);
    await keeper.look();
    assert.equal(keeper.pair, old);
  });

  test('warns once a day in the last two weeks, and calls it wrong when it has run out', async () => {
    const { keeper, state, messages } = await keeping(await selfSigned(['a'], start));
    const end = keeper.until.getTime();
    const before = (count: number) => new Date(end - count * 86_400_000);
    for (const left of [20, 13, 12.5, 12]) {
      state.at = before(left);
      await keeper.look();
    }
    assert.deepEqual(messages(), ['the certificate expires soon', 'the certificate expires soon']);
    assert.equal(keeper.trouble(), undefined);
    state.at = before(-1);
    await keeper.look();
    assert.equal(messages().at(-1), 'the certificate is not valid');
    assert.match(
      keeper.trouble() ?? '',
      /it expired on 2036-01-01.*a new one in \/etc\/granary\/server\.pem is picked up/,
    );
  });

  test('calls one wrong that is not valid yet', async () => {
    const { keeper, state } = await keeping(await selfSigned(['a'], days(10)));
    state.at = start;
    assert.match(keeper.trouble() ?? '', /it is not valid before 2026-01-10/);
  });
});
