import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import type { ResultRow, TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { tools } from './tools.ts';

/** Two tables with what the protocols' own have not: numbered rows, defaults, a foreign key, a second index. */
const made = `
  create table dbo.ToolOrder (Id int identity(1, 1) not null constraint PK_ToolOrder primary key,
    Placed datetime not null default getdate(), Code varchar(20) not null constraint UQ_ToolOrder unique);
  create table dbo.ToolLine (OrderId int not null, Line int not null, Text nvarchar(50) null,
    constraint PK_ToolLine primary key (OrderId, Line),
    constraint FK_ToolLine_ToolOrder foreign key (OrderId) references dbo.ToolOrder (Id) on delete cascade)`;

const title = (statement: string): string => statement.replaceAll(/\s+/g, ' ').slice(0, 120);

const has = (row: ResultRow, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const found = row[name];
    return (typeof found === 'string' ? found.trimEnd() : found) === value;
  });

forEachEngine((engine) => {
  describe('what tools send at first contact is answered as SQL Server answers it', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      await using admin = await server.connect('tempdb');
      await admin.batch(made);
      client = await server.connect(config.firstDatabase);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const { name, asks } of tools) {
      for (const [statement, columns, expected] of asks) {
        test(`${name}: ${title(statement)}`, async () => {
          const answer = await client.batch(statement);
          const found = (answer.columns.at(-1) ?? []).map((column) => column.replaceAll(' ', '_'));
          assert.deepEqual(found, columns.split(/\s+/).filter(Boolean));
          const rows = answer.sets.at(-1) ?? [];
          if (typeof expected === 'number') assert.equal(rows.length, expected);
          else if (expected)
            assert.ok(
              rows.some((row) => has(row, expected)),
              `no such row among ${JSON.stringify(rows.slice(0, 5))}`,
            );
        });
      }
    }
  });
});
