import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf } from '../../../test/support/tds.ts';
import * as t from '../types/index.ts';
import { modern } from '../version.ts';
import { type ColumnInfo, LastColumns, resultWriter, type Token, TokenParser } from './index.ts';

const column = (name: string, type: ColumnInfo['type']): ColumnInfo => ({ name, type, nullable: true });

/** The columns' names and the rows that an answer in small pieces is read as. */
function read(columns: readonly ColumnInfo[], rows: readonly unknown[][], last: LastColumns): unknown[] {
  const writer = resultWriter(columns, modern);
  const bytes = bytesOf((out) => {
    writer.writeMetadata(out);
    for (const row of rows) writer.writeRow(out, row);
  });
  const parser = new TokenParser(modern, last);
  const tokens: Token[] = [];
  for (let at = 0; at < bytes.length; at += 7) {
    parser.push(bytes.subarray(at, at + 7));
    for (let token = parser.next(); token !== undefined; token = parser.next()) tokens.push(token);
  }
  return tokens.map((token) => {
    if (token.token === 'columns') return token.columns.map(({ name, type }) => `${name} ${type.declaration}`);
    return token.token === 'row' ? token.values : token;
  });
}

test('MS-TDS 2.2.7.4: an answer is read by its own columns, whatever the answer before had', () => {
  const last = new LastColumns(modern);
  const [id, text] = [column('Id', t.bigint), column('Text', t.nvarchar(20))];
  for (let times = 0; times < 2; times++) {
    assert.deepEqual(
      read(
        [id, text],
        [
          [1n, 'a'],
          [null, 'b'],
        ],
        last,
      ),
      [
        ['Id bigint', 'Text nvarchar(20)'],
        [1n, 'a'],
        [null, 'b'],
      ],
    );
    assert.deepEqual(read([id], [[2n], [3n]], last), [['Id bigint'], [2n], [3n]]);
    assert.deepEqual(read([id], [[4n]], last), [['Id bigint'], [4n]]);
    assert.deepEqual(read([column('Id', t.int)], [[5]], last), [['Id int'], [5]]);
    assert.deepEqual(read([column('It', t.int)], [[6]], last), [['It int'], [6]]);
  }
});
