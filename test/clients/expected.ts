import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { translation } from '../../src/protocols/translation/kind.ts';
import type { Check, Facts } from './checks.ts';

/** The moment at which the server under test stands still. */
export const moment = '2026-03-04T05:06:07.890';

/** A name with letters of two, three and four bytes. */
export const grain = 'Grüße 中 🌾 𠀋';

const hash = createHash('sha256').update(Buffer.alloc(10_485_760, 'grain.')).digest('hex');

const namesIn = (wanted: string): string[] =>
  translation.procedures.flatMap(({ name, schema = 'dbo' }) => (schema === wanted ? [name] : []));

/** A value that a fact must equal, a pattern that it must match, or a list that it must include. */
type Wanted = { readonly includes: readonly string[] } | RegExp | string | number | boolean | null | object;

/** What a script has to find out, check by check. */
const expected: Readonly<Record<Check, Readonly<Record<string, Wanted>>>> = {
  login: { user: 'sa', encrypted: /^(TRUE|FALSE)$/, protocol: /^\d+$/ },
  refused: { number: 18456 },
  databases: {
    names: { includes: ['SharePoint_Config', 'TranslationServices', 'WordAutomationServices', 'master', 'tempdb'] },
  },
  // Some clients ask for those of one schema.
  procedures: { names: { includes: namesIn('dbo') } },
  translation: {
    added: 0,
    grouped: 0,
    submitted: 0,
    limited: 1,
    job: { id: 1, created: moment, cancelled: null, submitted: true, name: grain },
    items: [
      [1, 'a.docx'],
      [2, 'b.docx'],
    ],
    counted: 7,
  },
  word: { added: 0, active: 1, token: { header: 'ab'.repeat(32), sid: '010500', groups: 'ff' } },
  config: {
    class: 0,
    object: 0,
    version: /^00[0-9a-f]{14}$/,
    updated: 0,
    taken: 8,
    sites: 1,
    name: 'Farm',
    properties: `<object>${grain}</object>`,
  },
  sets: { rows: [1, 1, 0, 0] },
  nulls: { sent: 0, name: null, columns: [1, null, null, null] },
  long: { sent: 0, length: 10_485_760, sha256: hash },
  errors: {
    unknownProcedure: 2812,
    missingParameter: 201,
    conversion: 8114,
    duplicate: 2627,
    unknownTable: 208,
    syntax: 102,
    raised: 50000,
    after: 1,
  },
  cancel: { cancelled: true, after: 1 },
  transaction: { inside: 1, after: 0 },
  prepared: { answers: ['1 a', '2 b', '3 c'] },
  pool: { answers: [1, 2, 3] },
  bulk: {
    rows: [
      [1, 'one'],
      [2, null],
      [3, 'three'],
    ],
    text: grain,
    links: [
      [7, 1, null, 10, 394],
      [7, 2, 20, 30, -1],
    ],
  },
  metadata: {
    parameters: {
      '@JobId': 'bigint',
      '@UserId': 'nvarchar',
      '@UserToken': 'varbinary',
      '@PartitionId': 'uniqueidentifier',
      '@Settings': 'nvarchar',
      '@Name': 'nvarchar',
      '@ItemCount': 'int',
      '@MaxItemsPerDay': 'int',
      '@MaxItemsPerPartitionPerDay': 'int',
    },
  },
  tables: { number: 2715, after: 1, passed: [2, 'zwei'] },
};

/** Compares what a script found out with what it should be; `lacks` names the facts that its client has no way to know. */
export function assertFacts(check: Check, facts: Facts, lacks: readonly string[]): void {
  const wanted = Object.entries(expected[check]).filter(([name]) => !lacks.includes(`${check}.${name}`));
  const told = Object.keys(facts).sort();
  assert.deepEqual(told, wanted.map(([name]) => name).sort(), JSON.stringify(facts).slice(0, 1000));
  for (const [name, value] of wanted) assertFact(facts[name], value, name);
}

function assertFact(fact: unknown, wanted: Wanted, name: string): void {
  if (wanted instanceof RegExp) assert.match(String(fact), wanted, name);
  else if (isList(wanted)) {
    assert.ok(Array.isArray(fact), `${name} is a list`);
    const missing = wanted.includes.filter((one) => !fact.includes(one));
    assert.deepEqual(missing, [], `missing in ${name}`);
  } else assert.deepEqual(fact, wanted, name);
}

function isList(wanted: Wanted): wanted is { readonly includes: readonly string[] } {
  return typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) && 'includes' in wanted;
}
