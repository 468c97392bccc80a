import assert from 'node:assert/strict';
import { test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import type { Answer, TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Signature, signaturesOf } from '../signatures/signature.ts';
import { guid } from './farm.ts';
import { sharedFarm } from './shared-farm.ts';
import { given } from './told.ts';

const RequestGuid = guid('12', 34);
/** What may refuse a NULL: a column that holds none, and a reference to what is not stored. */
const refusals: readonly unknown[] = [515, 547];

/** Calls a procedure with NULL for all but the request identifier; undefined when an error refuses that. */
async function callWithNulls(client: TestClient, { name, params }: Signature): Promise<Answer | undefined> {
  const declared = config.procedures.find((each) => each.name === name);
  assert.ok(declared, name);
  const input = Object.fromEntries(params.map((param) => [param.name, null]));
  try {
    return await client.callLoosely(declared, 'RequestGuid' in input ? { ...input, RequestGuid } : input);
  } catch (error) {
    assert.ok(error instanceof Error && 'number' in error && refusals.includes(error.number), `${name}: ${error}`);
    return undefined;
  }
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5: whatever is NULL, codes, result sets and columns are those of the text and @RequestGuid comes back', () =>
    withFarm(async ({ client }) => {
      for (const signature of signaturesOf('MS-WSSCFGD2')) {
        const answer = await callWithNulls(client, signature);
        if (answer === undefined) continue;
        const { name, returns, sets, params } = signature;
        assert.ok(typeof returns === 'string' || returns.includes(answer.status ?? -1), `${name} ${answer.status}`);
        const whole = sets.map(({ columns }) => columns.map((column) => column.name));
        const needed = sets.filter(({ optional }) => !optional).length;
        assert.deepEqual(answer.columns, whole.slice(0, Math.max(answer.columns.length, needed)), name);
        if (params.some((param) => param.name === 'RequestGuid'))
          assert.equal(given(answer, 'RequestGuid'), RequestGuid, name);
      }
    }));
});
