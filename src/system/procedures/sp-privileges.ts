import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import { bit, nvarchar, varchar } from '../../tds/types/index.ts';
import { catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

/** Whoever may use a database may read all that can be read in it, and nobody can hand that on. */
const everybodyReads = { GRANTOR: 'dbo', GRANTEE: 'public', PRIVILEGE: 'SELECT', IS_GRANTABLE: 'NO' };

const tablePrivileges = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: sysname,
  GRANTOR: sysname,
  GRANTEE: sysname,
  PRIVILEGE: varchar(32),
  IS_GRANTABLE: varchar(3),
} satisfies Columns;

/** sp_table_privileges: who may do what with a table. */
export const spTablePrivileges = systemProcedure({
  name: 'sp_table_privileges',
  section: systemSection,
  summary: 'Lists who may do what with tables.',
  access: 'none',
  params: {
    table_name: required(nvarchar(384), 'A pattern of table names.'),
    table_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
    table_qualifier: optional(sysname, null, 'The database: the current one.'),
    fUsePattern: optional(bit, true, 'Whether %, _ and [] are wildcards.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { privileges: tablePrivileges } } },
  handle(call, { table_name, table_owner, table_qualifier, fUsePattern }) {
    checkQualifier(table_qualifier, call.database);
    const isTable = nameTest(table_name, fUsePattern);
    const isOwner = nameTest(table_owner, fUsePattern);
    const found = catalogOf(call).relations.filter(({ schema, name }) => isTable(name) && isOwner(schema));
    return {
      outcome: 'listed',
      sets: {
        privileges: found.map(({ schema, name }) => ({
          TABLE_QUALIFIER: call.database,
          TABLE_OWNER: schema,
          TABLE_NAME: name,
          ...everybodyReads,
        })),
      },
    };
  },
});

const columnPrivileges = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: sysname,
  COLUMN_NAME: sysname,
  GRANTOR: sysname,
  GRANTEE: sysname,
  PRIVILEGE: varchar(32),
  IS_GRANTABLE: varchar(3),
} satisfies Columns;

/** sp_column_privileges: who may do what with a column. */
export const spColumnPrivileges = systemProcedure({
  name: 'sp_column_privileges',
  section: systemSection,
  summary: 'Lists who may do what with the columns of a table.',
  access: 'none',
  params: {
    table_name: required(sysname, 'The table.'),
    table_owner: optional(sysname, null, 'Its schema.'),
    table_qualifier: optional(sysname, null, 'The database: the current one.'),
    column_name: optional(nvarchar(384), null, 'A pattern of column names.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { privileges: columnPrivileges } } },
  handle(call, { table_name, table_owner, table_qualifier, column_name }) {
    checkQualifier(table_qualifier, call.database);
    const isTable = nameTest(table_name, false);
    const isOwner = nameTest(table_owner, false);
    const isColumn = nameTest(column_name, true);
    const found = catalogOf(call).relations.filter(({ schema, name }) => isTable(name) && isOwner(schema));
    return {
      outcome: 'listed',
      sets: {
        privileges: found.flatMap(({ schema, name, columns }) =>
          columns
            .filter((column) => isColumn(column.name))
            .map((column) => ({
              TABLE_QUALIFIER: call.database,
              TABLE_OWNER: schema,
              TABLE_NAME: name,
              COLUMN_NAME: column.name,
              ...everybodyReads,
            })),
        ),
      },
    };
  },
});
