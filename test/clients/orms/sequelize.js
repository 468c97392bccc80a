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

const { DataTypes, QueryTypes, Sequelize } = fromOrms('sequelize');
const connect = (database) =>
  new Sequelize(database, 'sa', server.password, {
    host: server.host,
    port: server.port,
    dialect: 'mssql',
    logging: false,
    pool: { min: 0, max: 2 },
    dialectOptions: { options: { encrypt: false, trustServerCertificate: true } },
  });

const db = connect('tempdb');
const farm = connect(protocolDatabase);
const Book = db.define(
  'Book',
  {
    title: { type: DataTypes.STRING(100), allowNull: false, unique: true },
    price: DataTypes.DECIMAL(10, 2),
    sold: { type: DataTypes.BOOLEAN, defaultValue: false },
  },
  { tableName: 'orm_books', timestamps: false },
);

await tell('models', async () => {
  await Book.sync({ force: true });
  const first = await Book.create({ title: 'Grain', price: 1.5 });
  await Book.bulkCreate([{ title: 'Ähre' }, { title: 'Scheune' }]);
  await Book.update({ price: 2.25, sold: true }, { where: { title: 'Ähre' } });
  await Book.destroy({ where: { title: { [Sequelize.Op.like]: 'Sch%' } } });
  const { rows } = await Book.findAndCountAll({ order: ['id'], limit: 10, offset: 0 });
  return { first: first.id, books: rows.map(({ title, price, sold }) => [title, price, sold]) };
});
await tell('reflection', async () => {
  const query = db.getQueryInterface();
  const own = await query.describeTable('orm_books');
  const tables = await query.showAllTables();
  return {
    there: [tables.some(({ tableName }) => tableName === 'orm_books'), own.price !== undefined],
    own: Object.keys(own).sort(),
    protocol: Object.keys(await farm.getQueryInterface().describeTable(protocolTable)).sort(),
  };
});
await tell('raw', async () => ({
  rows: await db.query('select :a as a, :b as b', { replacements: { a: 7, b: 'ü' }, type: QueryTypes.SELECT }),
}));
await tell('procedures', async () => {
  await db.query(makeDouble);
  const [[{ twice }]] = await db.query(callDouble);
  const [[{ code }]] = await db.query(callProtocol);
  return { output: twice, code };
});
await tell('transactions', async () => {
  await db.transaction((transaction) => Book.create({ title: 'kept' }, { transaction }));
  await db
    .transaction(async (transaction) => {
      await Book.create({ title: 'undone' }, { transaction });
      throw new Error('no');
    })
    .catch(() => {});
  return { count: await Book.count() };
});
await db.close();
await farm.close();
