import assert from 'node:assert/strict';
import { testMatrix } from './matrix.ts';
import { using, withMssqlJdbc } from './mssql-jdbc.ts';

testMatrix('mssql-jdbc', withMssqlJdbc('MssqlJdbc'), using('encrypt=false'), {
  types: { rule: 'CallableStatement takes and gives every type, NULL and not NULL', facts: { wrong: [] } },
  bulk: {
    rule: 'SQLServerBulkCopy loads the rows of another connection',
    facts: {
      rows: [
        [1, 1.25, '2024-01-02 03:04:05.1234567', '中', 2, true],
        [2, null, 'null', null, null, false],
      ],
    },
  },
  batches: {
    rule: 'a batch tells the count of each statement and goes on after an error; SELECT INTO tells its own',
    facts: { counts: [1, 1, -3, 1], code: 2627, rows: 102, copied: 2 },
  },
  keys: { rule: 'generated keys come back', facts: { key: 5 } },
  buffering: {
    rule: 'adaptive buffering reads large rows in pieces, in packets of 512 bytes',
    facts: { rows: 3000, characters: 6_000_000 },
  },
  cursor: { rule: 'selectMethod=cursor scrolls', facts: { order: [3, 2, 1] } },
  cursorCall: {
    rule: 'selectMethod=cursor gives the return code and the output values of a call too',
    facts: { rows: [21, 42], status: 7, output: 42 },
  },
  transactions: { rule: 'savepoints and isolation levels', facts: { counts: [1, 0, 8] } },
  timeout: { rule: 'a query time-out cancels, and the connection goes on', facts: { state: 'timed out', after: 1 } },
  parameters: {
    rule: 'ParameterMetaData and ResultSetMetaData are known before a statement runs',
    facts: { types: ['int', 'nvarchar'], columns: 1, name: 'name' },
  },
  recovery: {
    rule: 'a connection that broke comes back with its database and settings, having prepared statements or not; one that held a table or a transaction does not',
    facts: { found: [['master', 77, 3, false], 'lost', 'lost', ['tempdb', -1, 5, false]] },
  },
  metadata: {
    rule: 'DatabaseMetaData is answered',
    facts(found) {
      assert.equal(found['asked'], 21);
      assert.equal(found['tables'], true);
      assert.deepEqual(found['failed'], []);
    },
  },
});
