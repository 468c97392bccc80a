import assert from 'node:assert/strict';
import { testMatrix } from './matrix.ts';
import { monoProgram } from './mono.ts';

const guid = '00112233-4455-6677-8899-aabbccddeeff';

testMatrix(
  'mono',
  monoProgram('Matrix'),
  { CLIENT_OPTIONS: 'Encrypt=False' },
  {
    types: { rule: 'every type goes in, out and back, NULL and not NULL', facts: { wrong: [] } },
    status: {
      rule: 'a procedure that an error ended returns 10 minus the severity',
      facts: {
        status: [
          [null, 0],
          [2627, -4],
        ],
      },
    },
    adapter: {
      rule: 'SqlDataAdapter and SqlCommandBuilder read a table with its key and write changes back',
      facts: {
        key: ['id'],
        changed: 3,
        rows: [
          [1, 'eins', 1.5],
          [3, 'three', 3.5],
          [4, 'four', 4.25],
        ],
      },
    },
    bulk: {
      rule: 'SqlBulkCopy loads rows of many types, in batches and with options',
      facts: {
        copied: 500,
        count: 501,
        row: [499, 2 ** 40, 1.25, 0.5, '2024-01-02T00:00:00.000', guid, '中 499', 9000, 9000, false, '<a />'],
        nulls: 1,
      },
    },
    savepoints: { rule: 'SqlTransaction saves and rolls back to a point', facts: { rows: [1, 3], open: 0 } },
    scope: { rule: 'a connection enlists in a TransactionScope', facts: { counts: [1, 1] } },
    reset: {
      rule: 'a pooled connection comes back without tables, transaction, settings and database of its last user',
      facts(found) {
        assert.deepEqual((found['seen'] as unknown[])[0], (found['seen'] as unknown[])[1]);
      },
    },
    schema: {
      rule: 'GetSchema knows its collections',
      facts(found) {
        assert.equal(found['collections'], 20);
        assert.deepEqual(found['missing'], []);
      },
    },
    xml: { rule: 'ExecuteXmlReader reads FOR XML', facts: { raw: '<r><row a="1" b="ü" /></r>' } },
    async: { rule: 'many asynchronous users share a pool of five', facts: { sum: 420 } },
    columns: {
      rule: 'KeyInfo and SchemaOnly tell names, keys, identity, row versions and what is read-only, also of a protocol’s table',
      facts: {
        keyInfo: [
          ['id', false, true, true, false, '#described', false, true],
          ['name', true, false, false, false, '#described', false, false],
          ['v', false, false, false, true, '#described', false, true],
        ],
        schemaOnly: [
          ['id', false, null, true, false, null, null, true],
          ['name', true, null, false, false, null, null, false],
          ['v', false, null, false, true, null, null, true],
        ],
        hidden: [
          ['Name', true, false, false, false, 'Jobs', false, false],
          ['JobId', false, true, false, false, 'Jobs', true, false],
        ],
      },
    },
    timeout: { rule: 'CommandTimeout ends a command that takes too long', facts: { number: -2 } },
  },
);
