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

const { DataSource, EntitySchema, Like } = fromOrms('typeorm');
const Book = new EntitySchema({
  name: 'Book',
  tableName: 'orm_books',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    title: { type: 'nvarchar', length: 100, unique: true },
    price: { type: 'decimal', precision: 10, scale: 2, nullable: true },
    sold: { type: 'bit', nullable: true, default: false },
  },
});
const connect = (database, entities = []) =>
  new DataSource({
    type: 'mssql',
    host: server.host,
    port: server.port,
    username: 'sa',
    password: server.password,
    database,
    entities,
    options: { encrypt: false, trustServerCertificate: true },
    pool: { min: 0, max: 2 },
  }).initialize();

const db = await connect('tempdb', [Book]);
const farm = await connect(protocolDatabase);
const books = db.getRepository(Book);

await tell('models', async () => {
  await db.synchronize(false);
  await db.synchronize(false); // finds nothing to change in what it has made
  const first = await books.save({ title: 'Grain', price: 1.5 });
  await books.save([{ title: 'Ähre' }, { title: 'Scheune' }]);
  await books.update({ title: 'Ähre' }, { price: 2.25, sold: true });
  await books.delete({ title: Like('Sch%') });
  const [rows] = await books.findAndCount({ order: { id: 'ASC' }, skip: 0, take: 10 });
  return { first: first.id, books: rows.map(({ title, price, sold }) => [title, price, sold]) };
});
await tell('reflection', async () => {
  const runner = db.createQueryRunner();
  const of = farm.createQueryRunner();
  const names = (table) => table.columns.map(({ name }) => name).sort();
  try {
    const there = [await runner.hasTable('orm_books'), await runner.hasColumn('orm_books', 'price')];
    const own = names(await runner.getTable('orm_books'));
    return { there, own, protocol: names(await of.getTable(protocolTable)) };
  } finally {
    await runner.release();
    await of.release();
  }
});
await tell('raw', async () => ({ rows: await db.query('select @0 as a, @1 as b', [7, 'ü']) }));
await tell('procedures', async () => {
  await db.query(makeDouble);
  return { output: (await db.query(callDouble))[0].twice, code: (await db.query(callProtocol))[0].code };
});
await tell('transactions', async () => {
  await db.transaction((manager) => manager.getRepository(Book).save({ title: 'kept' }));
  await db
    .transaction(async (manager) => {
      await manager.getRepository(Book).save({ title: 'undone' });
      throw new Error('no');
    })
    .catch(() => {});
  return { count: await books.count() };
});
await db.destroy();
await farm.destroy();
