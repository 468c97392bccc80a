import { resolve } from 'node:path';
import type { ClientPackages } from '../packages.ts';

/** Where `npm test` puts the mappers of npm: they are not dependencies of the project. */
const folder = resolve(import.meta.dirname, '../../../.granary/clients/orms');

const ofNpm = (title: string, npm: string): ClientPackages => ({
  title,
  debian: [],
  folder: { npm, to: `${folder}/${npm}` },
  probe: `test -e ${folder}/${npm}/node_modules/${title}/package.json`,
});

const python = '/usr/bin/python3';
const ofDebian = (driver: string, debian: readonly string[]): ClientPackages => ({
  title: `SQLAlchemy over ${driver}`,
  debian: ['python3-sqlalchemy', ...debian],
  probe: `${python} -c "import sqlalchemy, ${driver}"`,
});

/** The object-relational mappers and query builders that the tests know. */
export const mapperPackages = {
  knex: ofNpm('knex', 'knex@3.3.0'),
  kysely: ofNpm('kysely', 'kysely@0.29.8'),
  typeorm: ofNpm('typeorm', 'typeorm@1.1.1'),
  sequelize: ofNpm('sequelize', 'sequelize@6.37.8'),
  'sqlalchemy-pymssql': ofDebian('pymssql', ['python3-pymssql']),
  'sqlalchemy-pyodbc': ofDebian('pyodbc', ['python3-pyodbc', 'unixodbc', 'tdsodbc']),
} as const satisfies Readonly<Record<string, ClientPackages>>;

export type MapperId = keyof typeof mapperPackages;

/** What each of them is asked to do. */
export const mapperChecks = {
  models: 'creates a table, inserts, updates and deletes rows, and reads them page by page',
  reflection: "reflects the columns of its own table and of a protocol's table",
  raw: 'runs a query with parameters',
  procedures: 'calls a procedure with an output value and one with a return code',
  transactions: 'commits one transaction and rolls another back',
} as const;

const folderOf = ({ folder: kept }: ClientPackages): string => kept?.to ?? '';

const ofNode = (id: MapperId) => ({
  command: [process.execPath, `orms/${id}.js`],
  environment: { GRANARY_ORMS: folderOf(mapperPackages[id]) },
});

const ofPython = (driver: string) => ({
  command: [python, 'orms/with_sqlalchemy.py'],
  environment: { SQLALCHEMY_DRIVER: driver },
});

/** The program of each. */
export const mappers: Readonly<
  Record<MapperId, { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }>
> = {
  knex: ofNode('knex'),
  kysely: ofNode('kysely'),
  typeorm: ofNode('typeorm'),
  sequelize: ofNode('sequelize'),
  'sqlalchemy-pymssql': ofPython('pymssql'),
  'sqlalchemy-pyodbc': ofPython('pyodbc'),
};
