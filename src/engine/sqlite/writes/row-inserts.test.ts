import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SqlError } from '../../../base/messages/sql-error.ts';
import type { GivenRows } from '../../db.ts';
import { boundRows } from '../../given-rows.ts';
import { Connection } from '../connection.ts';
import { RowInserts } from './row-inserts.ts';

const columns = ['id', 'name', 'name_key', 'size', 'data'];

interface Given {
  readonly id: number;
  readonly name: string;
  readonly size: bigint;
}

/** Rows as they lie on the wire, each in bytes of its own or all in the same ones. */
function given(rows: readonly Given[], areApart: boolean): GivenRows {
  const names = rows.map(({ name }) => Buffer.from(name, 'utf16le'));
  const sizes = rows.map(({ size }) => Buffer.from(BigInt64Array.of(size).buffer));
  const together = Buffer.concat(names);
  return {
    length: rows.length,
    give(taker) {
      let at = 0;
      for (const [index, { id }] of rows.entries()) {
        const own = names[index] ?? Buffer.alloc(0);
        const [bytes, start] = areApart ? [own, 0] : [together, at];
        at += own.length;
        taker.row();
        taker.integer(id);
        taker.utf16(bytes, start, start + own.length);
        taker.folded(bytes, start, start + own.length);
        taker.bigint(sizes[index] ?? Buffer.alloc(8), 0);
        taker.value(null);
      }
    },
  };
}

const sizes = [0n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const rowsOf = (count: number): Given[] =>
  Array.from({ length: count }, (_, at) => ({ id: at, name: `Straße ${at} `, size: sizes[at % sizes.length] ?? 0n }));

/** What a table holds after `work`. */
async function loaded(work: (inserts: RowInserts, connection: Connection) => void): Promise<unknown[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-inserts-'));
  const connection = new Connection(join(folder.path, 'loaded.db'), 'writer');
  try {
    connection.exec(`create table loaded (id bigint not null, name text, name_key text, size bigint, data blob);
      create unique index loaded_by_id on loaded (id)`);
    work(new RowInserts(connection, 'loaded', columns), connection);
    const statement = connection.prepare('select *, typeof(size) as kind from loaded order by id');
    statement.setReadBigInts(true);
    return statement.all();
  } finally {
    connection.close();
  }
}

describe('rows for INSERT', () => {
  for (const count of [1, 3, 4, 16, 21, 37]) {
    it(`are the same whether ${count} of them are passed as wire bytes or as arrays`, async () => {
      const rows = rowsOf(count);
      const bound = await loaded((inserts) => inserts.add(boundRows(given(rows, true))));
      assert.equal(bound.length, count);
      for (const areApart of [true, false])
        assert.deepEqual(await loaded((inserts) => inserts.add(given(rows, areApart))), bound);
      const expected = rows.map(({ id, name, size }) => ({ id: BigInt(id), name, size, kind: 'integer' }));
      assert.deepEqual(
        (bound as Record<string, unknown>[]).map(({ id, name, size, kind }) => ({ id, name, size, kind })),
        expected,
      );
    });
  }

  it('say the key of the row that is there already, wherever it stands, and take the rows of the next call', async () => {
    for (const place of [0, 7, 15, 17, 20]) {
      const rows = rowsOf(21).map((row, at) => (at === place ? { ...row, id: 1000 } : row));
      const kept = await loaded((inserts) => {
        inserts.add(given([{ id: 1000, name: 'first', size: 0n }], true));
        assert.throws(
          () => inserts.add(given(rows, false)),
          (error: SqlError) => error.number === 2627 && error.message.includes('(1000)'),
        );
        inserts.add(given([{ id: 2000, name: 'last', size: 0n }], true));
      });
      assert.ok((kept as { name: string }[]).some(({ name }) => name === 'last'));
    }
  });

  it('are in the journal as they were, for a transaction that moves to another process', async () => {
    await loaded((inserts, { journal }) => {
      inserts.add(given(rowsOf(37), false));
      const kept = journal.entries.flatMap(({ parameters }) => parameters.filter((_, at) => at % columns.length === 0));
      assert.deepEqual(
        kept.map(Number),
        rowsOf(37).map(({ id }) => id),
      );
    });
  });

  it('refuse U+0000 and unpaired surrogates', async () => {
    for (const name of ['a\0b', '\ud83d'])
      await loaded((inserts) =>
        assert.throws(() => inserts.add(given([{ id: 1, name, size: 0n }], true)), { number: 50000 }),
      );
  });
});
