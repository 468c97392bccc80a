import * as tedious from 'tedious';
import { tell } from '../tell.ts';
import {
  callDouble,
  callProtocol,
  fromOrms,
  makeDouble,
  protocolDatabase,
  protocolTable,
  server,
} from './from-orms.js';

const { Kysely, MssqlDialect, sql } = await import(fromOrms.resolve('kysely'));
const connect = (database) =>
  new Kysely({
    dialect: new MssqlDialect({
      tarn: { ...fromOrms('tarn'), options: { min: 0, max: 2 } },
      tedious: {
        ...(tedious.default ?? tedious),
        connectionFactory: () =>
          new (tedious.default ?? tedious).Connection({
            server: server.host,
            authentication: { type: 'default', options: { userName: 'sa', password: server.password } },
            options: { port: server.port, database, encrypt: false, trustServerCertificate: true },
          }),
      },
    }),
  });

const db = connect('tempdb');
const farm = connect(protocolDatabase);

await tell('models', async () => {
  await db.schema.dropTable('orm_books').ifExists().execute();
  await db.schema
    .createTable('orm_books')
    .addColumn('id', 'integer', (column) => column.primaryKey().modifyEnd(sql`identity`))
    .addColumn('title', sql`nvarchar(100)`, (column) => column.notNull().unique())
    .addColumn('price', 'decimal(10, 2)')
    .execute();
  await db.schema
    .alterTable('orm_books')
    .addColumn('sold', sql`bit`, (column) => column.defaultTo(0))
    .execute();
  const first = await db
    .insertInto('orm_books')
    .values({ title: 'Grain', price: 1.5 })
    .output('inserted.id')
    .executeTakeFirst();
  await db
    .insertInto('orm_books')
    .values([{ title: 'Ähre' }, { title: 'Scheune' }])
    .execute();
  await db.updateTable('orm_books').set({ price: 2.25, sold: true }).where('title', '=', 'Ähre').execute();
  await db.deleteFrom('orm_books').where('title', 'like', 'Sch%').execute();
  const books = await db.selectFrom('orm_books').selectAll().orderBy('id').offset(0).fetch(10).execute();
  return { first: first.id, books: books.map(({ title, price, sold }) => [title, price, sold]) };
});
await tell('reflection', async () => {
  const columns = async (of, name) =>
    (await of.introspection.getTables())
      .find((table) => table.name === name)
      ?.columns.map((column) => column.name)
      .sort();
  return {
    there: [(await columns(db, 'orm_books')) !== undefined, (await columns(db, 'orm_books')).includes('price')],
    own: await columns(db, 'orm_books'),
    protocol: await columns(farm, protocolTable),
  };
});
await tell('raw', async () => ({ rows: (await sql`select ${7} as a, ${'ü'} as b`.execute(db)).rows }));
await tell('procedures', async () => {
  await sql.raw(makeDouble).execute(db);
  const [{ twice }] = (await sql.raw(callDouble).execute(db)).rows;
  const [{ code }] = (await sql.raw(callProtocol).execute(db)).rows;
  return { output: twice, code };
});
await tell('transactions', async () => {
  await db.transaction().execute((trx) => trx.insertInto('orm_books').values({ title: 'kept' }).execute());
  await db
    .transaction()
    .setIsolationLevel('serializable')
    .execute(async (trx) => {
      await trx.insertInto('orm_books').values({ title: 'undone' }).execute();
      throw new Error('no');
    })
    .catch(() => {});
  const { n } = await db.selectFrom('orm_books').select(sql`count(*)`.as('n')).executeTakeFirst();
  return { count: n };
});
await db.destroy();
await farm.destroy();
