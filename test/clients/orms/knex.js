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

const { knex } = fromOrms('knex');
const connect = (database) =>
  knex({
    client: 'mssql',
    connection: {
      server: server.host,
      port: server.port,
      user: 'sa',
      password: server.password,
      database,
      options: { encrypt: false, trustServerCertificate: true },
    },
    pool: { min: 0, max: 2 },
  });

const db = connect('tempdb');
const farm = connect(protocolDatabase);

await tell('models', async () => {
  await db.schema.dropTableIfExists('orm_books');
  await db.schema.createTable('orm_books', (table) => {
    table.increments('id');
    table.string('title', 100).notNullable().unique();
    table.decimal('price', 10, 2);
  });
  await db.schema.alterTable('orm_books', (table) => table.boolean('sold').defaultTo(false));
  const [first] = await db('orm_books').insert({ title: 'Grain', price: 1.5 }).returning('id');
  await db('orm_books').insert([{ title: 'Ähre' }, { title: 'Scheune' }]);
  await db('orm_books').where({ title: 'Ähre' }).update({ price: 2.25, sold: true });
  await db('orm_books').where('title', 'like', 'Sch%').del();
  const books = await db('orm_books').orderBy('id').limit(10).offset(0);
  return { first: first.id, books: books.map(({ title, price, sold }) => [title, price, sold]) };
});
await tell('reflection', async () => ({
  there: [await db.schema.hasTable('orm_books'), await db.schema.hasColumn('orm_books', 'price')],
  own: Object.keys(await db('orm_books').columnInfo()).sort(),
  protocol: Object.keys(await farm(protocolTable).columnInfo()).sort(),
}));
await tell('raw', async () => ({ rows: await db.raw('select ? as a, ? as b', [7, 'ü']) }));
await tell('procedures', async () => {
  await db.raw(makeDouble);
  return { output: (await db.raw(callDouble))[0].twice, code: (await db.raw(callProtocol))[0].code };
});
await tell('transactions', async () => {
  const count = async () => Number((await db('orm_books').count('* as n'))[0].n);
  await db.transaction(async (trx) => trx('orm_books').insert({ title: 'kept' }));
  await db
    .transaction(async (trx) => {
      await trx('orm_books').insert({ title: 'undone' });
      throw new Error('no');
    })
    .catch(() => {});
  return { count: await count() };
});
await db.destroy();
await farm.destroy();
