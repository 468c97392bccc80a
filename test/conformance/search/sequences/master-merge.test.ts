import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { getIncompleteCommands } from '../../../../src/protocols/search/crawls/get-incomplete-commands.ts';
import { reportCommandCompleted } from '../../../../src/protocols/search/crawls/report-command-completed.ts';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import type { TestClient } from '../../../support/client.ts';
import { denseText } from '../../../support/nasty-text.ts';
import { anchor, crawl, nameOf, portal } from '../status-changes/components.ts';
import { forEachSearch } from '../with-search.ts';

const indexer = (project: string, number = 0) => `${nameOf(crawl, number)}/${project}/indexer`;
const commands = async (client: TestClient, ObjectName: string) => {
  const { status, sets } = await client.call(getIncompleteCommands, { ObjectName });
  assert.equal(status, 0);
  return (sets[0] ?? []).map((row) => [Number(row['CommandID']), row['Description'], row['Completed']]);
};
const ask = (client: TestClient, object: string, description = 'request master merge') =>
  client.batch(`
    insert into Commands (ObjectName, Description, CreatedUtcTime) values (N'${object}', N'${description}', getutcdate())`);

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.2.5.8: a master merge is asked of one indexer, found by its poll, and reported once', () =>
    withSearch(async ({ client, connect, clock }) => {
      const component = await connect();
      assert.deepEqual(await commands(component, indexer(portal)), []);
      await ask(client, indexer(portal));
      await ask(client, indexer(portal, 1));
      await ask(client, indexer(anchor), 'something else');
      const found = await commands(component, indexer(portal).toUpperCase());
      assert.deepEqual(found, [[1, 'request master merge', 0]]);
      assert.deepEqual(await commands(component, indexer(anchor)), [[3, 'something else', 0]]);

      clock.advance(60_000);
      const reported = await component.call(reportCommandCompleted, { CommandID: 1n });
      assert.deepEqual([reported.status, reported.sets], [0, []]);
      assert.deepEqual(await commands(component, indexer(portal)), []);
      assert.deepEqual(await commands(component, indexer(portal, 1)), [[2, 'request master merge', 0]]);
      const { sets } = await client.batch('select Completed, CompletedUtcTime from Commands where CommandID = 1');
      assert.deepEqual(sets[0], [{ Completed: 1, CompletedUtcTime: clock.now() }]);
    }));

  test('MS-SQLPGAT2 3.1.1.41: a command is put there with the attributes of its set alone, and was made at that moment', () =>
    withSearch(async ({ client, clock }) => {
      await client.batch(`insert into Commands (ObjectName, Description) values (N'one', N'by INSERT')`);
      await client.batch(`insert into Commands (ObjectName, Description, Completed) values (N'one', N'done', 1)`);
      clock.advance(60_000);
      await load(client, 'one', 'in bulk');
      assert.deepEqual(await commands(client, 'one'), [
        [1, 'by INSERT', 0],
        [3, 'in bulk', 0],
      ]);
      const { sets } = await client.batch('select CreatedUtcTime from Commands order by CommandID');
      const made = (sets[0] ?? []).map((row) => row['CreatedUtcTime']);
      const before = new Date(clock.now().getTime() - 60_000);
      assert.deepEqual(made, [before, before, clock.now()]);
      const shown = await client.batch(`
        select COLUMN_DEFAULT as shown from INFORMATION_SCHEMA.COLUMNS
        where TABLE_NAME = 'Commands' and COLUMN_NAME = 'CreatedUtcTime'`);
      assert.deepEqual(shown.sets[0], [{ shown: '(getutcdate())' }]);
    }));

  test('MS-SQLPGAT2 3.1.5.39: a command is found by a name as long as names may be', () =>
    withSearch(async ({ client }) => {
      await load(client, denseText(1024), denseText(3072));
      assert.deepEqual(await commands(client, denseText(1024)), [[1, denseText(3072), 0]]);
    }));
});

/** Loads a command in bulk. */
const load = (client: TestClient, ObjectName: string, Description: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const bulk = client.connection.newBulkLoad('Commands', (error) => (error ? reject(error) : resolve()));
    bulk.addColumn('ObjectName', TYPES.NVarChar, { nullable: false, length: 1024 });
    bulk.addColumn('Description', TYPES.NVarChar, { nullable: false, length: 3072 });
    client.connection.execBulkLoad(bulk, [{ ObjectName, Description }]);
  });
