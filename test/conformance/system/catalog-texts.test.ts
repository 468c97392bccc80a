import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Columns } from '../../../src/procedure/declare.ts';
import type { Param } from '../../../src/procedure/param.ts';
import { columnsOf } from '../../../src/procedure/relations/columns-of.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { textOf } from '../../../src/system/catalog-text.ts';
import { readProcedures } from '../../../src/system/procedure-text.ts';
import { systemRelations } from '../../../src/system/relations.ts';
import type { ResultRow, TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const folder = new URL('../../../src/system/', import.meta.url).href;
const procedures = ['help', 'rowsets'].flatMap((file) => readProcedures(textOf(`procedures/${file}.sql`, folder)));

/** Fails where a column that never holds NULL does. */
function checkNulls(declared: Columns, rows: readonly ResultRow[]): void {
  for (const { name, nullable } of columnsOf(declared)) {
    if (!nullable) assert.ok(!rows.some((row) => row[name] === null), `${name} is NULL`);
  }
}

forEachEngine((engine) => {
  describe('the texts of the catalog', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      client = await server.connect(config.firstDatabase);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const { schema, name, columns, database } of systemRelations) {
      test(`${schema}.${name} has the columns that it declares, and NULL only where it says so`, async () => {
        const place = database === undefined ? '' : `${database}.`;
        const answer = await client.batch(`select * from ${place}${schema}.${name}`);
        assert.deepEqual(answer.columns[0], Object.keys(columns));
        checkNulls(columns, answer.sets[0] ?? []);
      });
    }

    for (const { name, aliases = [], params, outcomes } of procedures) {
      test(`${name} returns one of the ways that it declares`, async () => {
        const all: readonly (readonly [string, Param])[] = Object.entries(params);
        const args = all.flatMap(([param, { kind }]) => (kind === 'required' ? [`@${param} = N'dbo.Objects'`] : []));
        const { columns, sets } = await client.batch(`exec ${name} ${args.join(', ')}`);
        const ways: readonly { readonly sets?: Readonly<Record<string, Columns>> }[] = Object.values(outcomes);
        const way = ways.find((each) => {
          const declared = Object.values(each.sets ?? {}).map((set) => Object.keys(set));
          return JSON.stringify(declared) === JSON.stringify(columns);
        });
        assert.ok(way, JSON.stringify(columns));
        for (const [at, set] of Object.values(way.sets ?? {}).entries()) checkNulls(set, sets[at] ?? []);
        assert.ok(aliases.every((alias: string) => alias.startsWith('sp_')));
      });
    }

    test('what is msdb’s alone is in no other database', async () => {
      await assert.rejects(client.batch('select * from master.dbo.backupset'), { number: 208 });
      const { sets } = await client.batch("select count(*) as n from msdb.sys.all_objects where name = 'backupset'");
      assert.equal(sets[0]?.[0]?.['n'], 1);
    });

    for (const [statement, number] of [
      ["exec sp_helpuser 'nobody'", 15198],
      ["exec sp_helprole 'nothing'", 15409],
      ["exec sp_helpsrvrolemember 'nothing'", 15412],
      ["exec sp_helpfile 'nothing'", 15325],
      ["exec sp_spaceused 'nothing'", 15009],
      ["exec sp_helpconstraint 'nothing'", 15009],
      ["exec sp_helplanguage 'Klingon'", 15033],
    ] as const) {
      test(`${statement} is error ${number}`, async () => {
        await assert.rejects(client.batch(statement), { number });
      });
    }
  });
});
