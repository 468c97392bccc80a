import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { silentLog } from '../base/log/log.ts';
import { Threads } from '../base/threads/threads.ts';
import { type AnyProcedure, type Columns, type Outcome, orNull, systemProcedure } from '../procedure/declare.ts';
import type { Kind } from '../procedure/kind.ts';
import { AppLocks } from '../procedure/locks/app-locks.ts';
import { nullable, optional, optionalOutput, output, type Param, required } from '../procedure/param.ts';
import { columnsOf } from '../procedure/relations/columns-of.ts';
import { memoryRelation } from '../procedure/relations/relation.ts';
import { allRows } from '../procedure/relations/select-relation.ts';
import { bind } from '../procedure/run/bind.ts';
import { noDb } from '../procedure/run/no-db.ts';
import type { ServerView } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import { int, nvarchar } from '../tds/types/index.ts';
import { readViews, textOf } from './catalog-text.ts';
import { offeredTypes } from './datatype-info.ts';
import { readProcedures } from './procedure-text.ts';
import { systemProcedures } from './procedures.ts';
import { systemRelations } from './relations.ts';

/** The views that are T-SQL over others. */
const queries = new Set(
  ['objects', 'server', 'iso', 'old']
    .flatMap((file) => readViews(textOf(`views/${file}.txt`, import.meta.url)))
    .flatMap(({ names, query }) => (query === undefined ? [] : names)),
);

/** A table with a column of every type, and the same again with NULL. */
const everyType: Columns = Object.fromEntries(
  offeredTypes.flatMap(({ name, type }) => [
    [name, type],
    [`${name} or null`, orNull(type)],
  ]),
);

const sample: Kind = {
  name: 'sample',
  firstDatabase: 'Sample',
  procedures: [
    systemProcedure({
      name: 'proc_Sample',
      aliases: ['proc_Sampel'],
      section: 'MS-SAMPLE 3.1',
      summary: 'Shows every sort of parameter.',
      access: 'read',
      params: {
        Id: required(int, 'An id.'),
        Name: nullable(nvarchar('max'), 'A name.'),
        Size: optional(int, 7, 'A size.'),
        Count: output(int, 'A count.'),
        Guid: optionalOutput(int, 'Another.'),
      },
      outcomes: { done: { code: 0, meaning: 'Always.' } },
      handle: () => ({ outcome: 'done' }),
    }),
    ...systemProcedures,
  ],
  relations: [memoryRelation({ name: 'EveryType', columns: everyType, rows: () => [] }), ...systemRelations],
  schema: { kind: 'sample', migrations: [] },
};

const moment = new Date('2024-01-15T10:30:00.000Z');

const locks = new AppLocks();
before(() =>
  locks.acquire(
    { database: 'Sample', principal: 'public', name: 'nightly' },
    { owner: { spid: 51, scope: 'Session' }, mode: 'Exclusive', timeout: 0 },
    new AbortController().signal,
  ),
);

const refused = () => Promise.reject(new Error('nothing is administrated here'));

const server: ServerView = {
  administration: { createDatabase: refused, dropDatabase: refused, grant: refused, revoke: refused },
  name: 'granary',
  version: '16.0.4135.4',
  started: moment,
  locks,
  threads: new Threads(silentLog),
  sizes: async () => [{ name: 'Sample', bytes: 8192, logBytes: 0 }],
  databases: async () => [{ name: 'Sample', kind: 'sample', id: 5, created: moment }],
  kind: (name) => (name === 'sample' ? sample : undefined),
  logins: async () => [
    { name: 'sa', kind: 'sql', sid: null, created: moment, roles: [{ database: '*', role: 'admin' }] },
    { name: 'farm', kind: 'sql', sid: null, created: moment, roles: [{ database: 'sample', role: 'writer' }] },
    { name: 'stranger', kind: 'sql', sid: null, created: moment, roles: [{ database: 'Elsewhere', role: 'reader' }] },
    { name: 'CORP\\alice', kind: 'user', sid: null, created: moment, roles: [{ database: 'Sample', role: 'reader' }] },
    { name: 'CORP\\Farmers', kind: 'group', sid: 'S-1-5-21-1-2-3-1104', created: moment, roles: [] },
  ],
  endSession: () => false,
  waits: async () => [],
  lockEntries: () => locks.list(),
  sessions: () => [
    {
      spid: 51,
      login: 'CORP\\alice',
      authentication: 'KERBEROS',
      host: 'web1',
      program: 'test',
      clientInterface: 'Tedious',
      processId: 4711,
      database: 'Sample',
      address: '127.0.0.1:50123',
      connected: moment,
      status: 'running',
      command: '',
      transactions: 0,
      encrypted: true,
      tdsVersion: 0x74000004,
      packetSize: 4096,
    },
  ],
};

const call: SystemCall = {
  db: noDb,
  now: moment,
  database: 'Sample',
  kind: 'sample',
  spid: 51,
  login: 'sa',
  through: ['sa'],
  signal: new AbortController().signal,
  log: silentLog,
  server,
  tsql: {
    schemas: [],
    temporaryTables: () => [],
    clientTypes: () => [],
    clientProcedures: () => [],
    clientViews: () => [],
    columns: async () => [],
    undeclared: async () => [],
    run: async () => [],
  },
};

/** Fails when a row has a value that its column could not send. */
async function checkRows(
  columns: Columns,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<Record<string, unknown>[]> {
  const read: Record<string, unknown>[] = [];
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    assert.deepEqual(Object.keys(row).sort(), Object.keys(columns).sort());
    for (const { name, type, nullable: mayBeNull } of columnsOf(columns)) {
      const value = row[name];
      if (value === null) assert.ok(mayBeNull, `${name} is NULL`);
      else if (/^n?char$/.test(type.name)) assert.equal(value, type.check(value), `${name} is filled up`);
      else assert.doesNotThrow(() => type.check(value), `${name}: ${String(value)}`);
    }
    read.push(row);
  }
  return read;
}

const rowsOf = async (name: string) => {
  const found = systemRelations.find((each) => `${each.schema}.${each.name}` === name);
  assert.ok(found, name);
  return checkRows(found.columns, allRows(found, call));
};

describe('rows of the catalog', () => {
  // Those that are queries need the interpreter: test/conformance/system/catalog-texts.test.ts reads them all.
  const isQuery = (name: string) => queries.has(name);
  for (const each of systemRelations) {
    const name = `${each.schema}.${each.name}`;
    if (isQuery(name)) continue;
    test(`${name} has rows that fit its columns`, async () => {
      await checkRows(each.columns, allRows(each, call));
    });
  }

  const answers = async (declared: AnyProcedure, ...values: readonly (string | number)[]) => {
    const args = values.map((value) => ({
      name: '',
      type: typeof value === 'number' ? int : nvarchar(4000),
      value,
      output: false,
      byDefault: false,
    }));
    const reply = await declared.handle(call, bind(declared, args).input, undefined);
    const sets: Readonly<Record<string, Columns>> = declared.outcomes[reply.outcome].sets ?? {};
    const read = [];
    for (const [set, columns] of Object.entries(sets)) read.push(await checkRows(columns, reply.sets?.[set] ?? []));
    return read;
  };

  /** What to ask of those that need a name. */
  const objectFor = (name: string) => {
    if (name.includes('describe')) return 'exec proc_Sample @p1, @Count = @p2 output';
    return /procedure_params|helptext/.test(name) ? 'proc_Sample' : 'EveryType';
  };

  const outcomesOf = ({ outcomes }: AnyProcedure): readonly Outcome[] => Object.values(outcomes);
  const scripted = new Set(
    ['help', 'rowsets'].flatMap((file) =>
      readProcedures(textOf(`procedures/${file}.sql`, import.meta.url)).map(({ name }) => name),
    ),
  );
  const withRows = systemProcedures.filter(
    (each) => !scripted.has(each.name) && outcomesOf(each).some(({ sets }) => sets),
  );

  for (const declared of withRows) {
    test(`${declared.name} has rows that fit its columns`, async () => {
      const params: readonly Param[] = Object.values(declared.params);
      const needsName = params.some((param) => param.kind === 'required');
      await answers(declared, ...(needsName ? [objectFor(declared.name)] : []));
    });
  }

  test('every object has an id of its own', async () => {
    const ids = (await rowsOf('sys.all_objects')).map((row) => row['object_id']);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('sys.objects has the database’s own objects, sys.all_objects SQL Server’s too', async () => {
    const names = (rows: Record<string, unknown>[]) => rows.map((row) => row['name']);
    assert.deepEqual(names(await rowsOf('sys.objects')), ['proc_Sampel', 'proc_Sample', 'EveryType']);
    const all = names(await rowsOf('sys.all_objects'));
    for (const name of ['proc_Sample', 'sp_who', 'all_objects', 'sysobjects']) assert.ok(all.includes(name), name);
  });

  test('sys.parameters tells order, direction and defaults', async () => {
    const rows = (await rowsOf('sys.parameters')).slice(0, 5);
    assert.deepEqual(
      rows.map((row) => [
        row['name'],
        row['parameter_id'],
        row['is_output'],
        row['has_default_value'],
        row['max_length'],
      ]),
      [
        ['@Id', 1, false, false, 4],
        ['@Name', 2, false, false, -1],
        ['@Size', 3, false, true, 4],
        ['@Count', 4, true, false, 4],
        ['@Guid', 5, true, true, 4],
      ],
    );
    assert.deepEqual(rows[2]?.['default_value'], { type: int, value: 7 });
  });

  test('sys.database_principals has the logins that may use the database', async () => {
    const names = (await rowsOf('sys.database_principals')).map((row) => row['name']);
    assert.ok(names.includes('farm'));
    assert.ok(!names.includes('stranger'));
    assert.ok(!names.includes('sa'));
  });

  test('sys.dm_exec_connections takes the address of a client apart', async () => {
    const [row] = await rowsOf('sys.dm_exec_connections');
    assert.deepEqual(
      [row?.['client_net_address'], row?.['client_tcp_port'], row?.['encrypt_option']],
      ['127.0.0.1', 50123, 'TRUE'],
    );
    assert.equal(row?.['protocol_version'], 0x74000004);
  });
});
