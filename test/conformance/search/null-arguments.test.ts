import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Kind } from '../../../src/procedure/kind.ts';
import { search } from '../../../src/protocols/search/kinds/search.ts';
import { searchAdmin } from '../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../../src/protocols/search/kinds/search-property.ts';
import type { Answer, TestClient } from '../../support/client.ts';
import { deliberate } from '../signatures/deliberate.ts';
import { type Signature, signaturesOf } from '../signatures/signature.ts';
import { forEachSearch } from './with-search.ts';

/** What may refuse a value: a column that holds no NULL, a rule of the text. */
const refusals: readonly unknown[] = [515, 50000];
const isFault = /reference/i;

/** Calls a procedure with one value everywhere; undefined when an error refuses that. */
async function callWith(client: TestClient, kind: Kind, { name, params }: Signature, value: number | null) {
  const declared = kind.procedures.find((each) => each.name === name);
  if (declared === undefined) return undefined;
  const input = Object.fromEntries(
    params.map((param) => [param.name, valueFor(declared.params[param.name].type.name, value)]),
  );
  try {
    return await client.callLoosely(declared, input);
  } catch (error) {
    assert.ok(error instanceof Error && 'number' in error && refusals.includes(error.number), `${name}: ${error}`);
    assert.doesNotMatch(error.message, isFault, name);
    const [, refused] = /^Cannot insert the value NULL into column '(.*?)'/.exec(error.message) ?? [];
    if (refused !== undefined) assert.ok(Object.hasOwn(declared.params, refused), `${name}: ${refused}`);
    return undefined;
  }
}

/** The number as a value of a type that is no number. */
function valueFor(type: string, value: number | null): unknown {
  if (value === null) return null;
  if (type === 'tinyint') return value & 0xff;
  if (type === 'smallint') return (value << 16) >> 16;
  if (type === 'bit') return value !== 0;
  if (type === 'uniqueidentifier') return '00000000-0000-0000-0000-000000000000';
  if (type === 'datetime' || type === 'smalldatetime') return new Date('2020-01-01');
  if (type === 'varbinary' || type === 'image') return Buffer.from([value & 0xff]);
  if (type === 'bigint') return BigInt(value);
  return type === 'int' ? value : String(value);
}

function check({ name, returns, sets }: Signature, answer: Answer): void {
  assert.ok(typeof returns === 'string' || returns.includes(answer.status ?? -1), `${name} ${answer.status}`);
  // Where another document has the columns the declaration has its own.
  const isElsewhere = Object.keys(deliberate['MS-SQLPGAT2'] ?? {}).some(
    (line) => line.startsWith(`${name} `) && /columns|result sets/.test(line),
  );
  if (isElsewhere) return;
  const whole = sets.map(({ columns }) => columns.map((column) => column.name));
  assert.deepEqual(answer.columns, whole.slice(0, answer.columns.length), name);
}

for (const kind of [searchAdmin, searchCrawl, searchProperty, search]) {
  describe(kind.name, () => {
    forEachSearch(kind, (withSearch) => {
      for (const value of [null, 0, 1, -1, 2147483647, -2147483648]) {
        test(`MS-SQLPGAT2 3.1.5: with ${value ?? 'NULL'} everywhere codes and columns are those of the text, or a rule refuses it by the parameter’s name`, () =>
          withSearch(async ({ client }) => {
            for (const signature of signaturesOf('MS-SQLPGAT2')) {
              const answer = await callWith(client, kind, signature, value);
              if (answer !== undefined) check(signature, answer);
            }
          }));
      }
    });
  });
}
