import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import fc from 'fast-check';
import { fold } from '../../../src/base/text/collation.ts';
import { handing } from '../../../src/tsql/query/by-engine/hand-over.ts';
import type { ClientError, TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { gallery, hang } from './gallery.ts';
import { declarations, frames, pictures, queries, type RandomQuery } from './random-queries.ts';

/** How many data sets are tried on each engine; more in a long run. */
const numRuns = Number(process.env['GRANARY_TEST_QUERIES'] ?? 120);

const folded = (_: string, value: unknown): unknown => (typeof value === 'string' ? fold(value) : value);

forEachEngine((engine) => {
  let server: TestServer;
  let client: TestClient;
  const answers = { errors: 0, empty: 0, rows: 0 };
  before(async () => {
    server = await startServer({ engine, kinds: [gallery] });
    client = await server.connect('Gallery');
  });
  after(() => server[Symbol.asyncDispose]());
  afterEach(() => {
    handing.isOn = true;
  });

  /** What a query answers: its rows as text, sorted where it does not sort them itself, or the number of its error. */
  async function answer({ text, isOrdered, mayChoose }: RandomQuery, isHandedOver: boolean): Promise<unknown> {
    handing.isOn = isHandedOver;
    try {
      const { sets, messages } = await client.batch(declarations + text);
      const shown = mayChoose ? folded : undefined;
      const rows = (sets[0] ?? []).map((row) => JSON.stringify(Object.values(row), shown));
      // A subquery that no row asks for is run by one and not by the other: its warnings are its own.
      answers[rows.length === 0 ? 'empty' : 'rows']++;
      const warnings = text.includes('(select') ? [] : messages.map(({ number }) => number);
      return { rows: isOrdered ? rows : rows.toSorted(), warnings };
    } catch (error) {
      const { number } = error as ClientError;
      assert.equal(typeof number, 'number', String(error));
      answers.errors++;
      return { error: number };
    }
  }

  test('a query handed over to the engine answers what the interpreter answers: rows, order, warnings and errors', () =>
    fc.assert(
      fc.asyncProperty(
        pictures,
        frames,
        fc.array(queries, { minLength: 1, maxLength: 8 }),
        async (some, others, asked) => {
          const database = await server.granary.engine.open('Gallery');
          await database?.write((db) => hang(db, some, others));
          for (const query of asked) {
            const expected = await answer(query, false);
            // The second time its plan is there, the third time the engine's statement too.
            for (const time of [1, 2, 3])
              assert.deepEqual(await answer(query, true), expected, `${time}: ${query.text}`);
          }
        },
      ),
      { numRuns },
    ));

  test('a constant between two values of a column, or beyond them all, is compared as in its own type', async () => {
    const database = await server.granary.engine.open('Gallery');
    const picture = { big: 0n, small: null, flag: null, at: null, owner: null, name: null, note: '', ratio: null };
    const wholes = [-3, -2, -1, 0, 1, 2, 3];
    await database?.write((db) =>
      hang(
        db,
        wholes.map((n) => ({ ...picture, n })),
        [],
      ),
    );
    const constants = ['-2.5', '-2.0', '-0.5', '0.5', '2.0', '2.5', '-2.5e0', '-2e0', '2.5e0', '1e30', '-1e30'];
    for (const constant of constants) {
      for (const operator of ['=', '<>', '<', '<=', '>', '>=']) {
        const text = `select p.N from Pictures p where p.N ${operator} ${constant} order by p.N`;
        const query = { text, isOrdered: true, mayChoose: false };
        const expected = await answer(query, false);
        assert.deepEqual(await answer(query, true), expected, text);
      }
    }
  });

  test('most random queries have an answer, and many of them rows', () => {
    const all = answers.errors + answers.empty + answers.rows;
    assert.ok(answers.errors < all / 3 && answers.rows > all / 8, JSON.stringify(answers));
  });
});
