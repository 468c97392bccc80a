import { sqlError } from '../../base/messages/sql-error.ts';
import type { Row } from '../../base/stored.ts';
import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional, required } from '../../procedure/param.ts';
import type { TableReference } from '../../procedure/relations/tsql-view.ts';
import { smallint } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

const primaryKeys = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: sysname,
  COLUMN_NAME: sysname,
  KEY_SEQ: smallint,
  PK_NAME: orNull(sysname),
} satisfies Columns;

/** sp_pkeys: the columns of primary keys. */
export const spPkeys = systemProcedure({
  name: 'sp_pkeys',
  section: systemSection,
  summary: 'Lists the columns of a primary key.',
  access: 'none',
  params: {
    table_name: required(sysname, 'The table.'),
    table_owner: optional(sysname, null, 'The schema of the table.'),
    table_qualifier: optional(sysname, null, 'The database: the current one.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { keys: primaryKeys } } },
  handle(call, { table_name, table_owner, table_qualifier }) {
    checkQualifier(table_qualifier, call.database);
    const isTable = nameTest(table_name, false);
    const isOwner = nameTest(table_owner, false);
    const keys = catalogOf(call)
      .relations.filter((of) => isTable(of.name) && isOwner(of.schema))
      .flatMap((of) =>
        of.keys
          .filter(({ kind }) => kind === 'PRIMARY KEY')
          .flatMap((key) =>
            key.columns.map((column, at) => ({
              TABLE_QUALIFIER: call.database,
              TABLE_OWNER: of.schema,
              TABLE_NAME: of.name,
              COLUMN_NAME: column,
              KEY_SEQ: at + 1,
              PK_NAME: key.name,
            })),
          ),
      );
    return { outcome: 'listed', sets: { keys } };
  },
});

const foreignKeys = {
  PKTABLE_QUALIFIER: orNull(sysname),
  PKTABLE_OWNER: orNull(sysname),
  PKTABLE_NAME: sysname,
  PKCOLUMN_NAME: sysname,
  FKTABLE_QUALIFIER: orNull(sysname),
  FKTABLE_OWNER: orNull(sysname),
  FKTABLE_NAME: sysname,
  FKCOLUMN_NAME: sysname,
  KEY_SEQ: smallint,
  UPDATE_RULE: smallint,
  DELETE_RULE: smallint,
  FK_NAME: orNull(sysname),
  PK_NAME: orNull(sysname),
  // Not in the documentation, but SQL Server sends it and ODBC 3 asks for it.
  DEFERRABILITY: smallint,
} satisfies Columns;

/** ODBC's numbers of what becomes of rows that refer to another. */
const rules = { cascade: 0, 'no action': 1, 'set null': 2, 'set default': 3 };
/** ODBC's SQL_NOT_DEFERRABLE. */
const notDeferrable = 7;

const foreignKeyRows = (of: CatalogRelation, reference: TableReference, database: string): Row<typeof foreignKeys>[] =>
  reference.columns.map((column, at) => ({
    PKTABLE_QUALIFIER: database,
    PKTABLE_OWNER: reference.to.schema,
    PKTABLE_NAME: reference.to.name,
    PKCOLUMN_NAME: reference.to.columns[at] ?? '',
    FKTABLE_QUALIFIER: database,
    FKTABLE_OWNER: of.schema,
    FKTABLE_NAME: of.name,
    FKCOLUMN_NAME: column,
    KEY_SEQ: at + 1,
    UPDATE_RULE: rules[reference.onUpdate],
    DELETE_RULE: rules[reference.onDelete],
    FK_NAME: reference.name,
    PK_NAME: reference.to.key,
    DEFERRABILITY: notDeferrable,
  }));

/** sp_fkeys: the columns of foreign keys. */
export const spFkeys = systemProcedure({
  name: 'sp_fkeys',
  section: systemSection,
  summary: 'Lists the columns of foreign keys.',
  access: 'none',
  params: {
    pktable_name: optional(sysname, null, 'The table that is referred to.'),
    pktable_owner: optional(sysname, null, 'Its schema.'),
    pktable_qualifier: optional(sysname, null, 'Its database: the current one.'),
    fktable_name: optional(sysname, null, 'The table that refers.'),
    fktable_owner: optional(sysname, null, 'Its schema.'),
    fktable_qualifier: optional(sysname, null, 'Its database: the current one.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { keys: foreignKeys } } },
  handle(call, input) {
    for (const qualifier of [input.pktable_qualifier, input.fktable_qualifier]) {
      if (qualifier === '') throw sqlError(15250);
      checkQualifier(qualifier, call.database);
    }
    const isReferred = nameTest(input.pktable_name, false);
    const isReferredOwner = nameTest(input.pktable_owner || null, false);
    const isReferring = nameTest(input.fktable_name, false);
    const isReferringOwner = nameTest(input.fktable_owner || null, false);
    const keys = catalogOf(call)
      .relations.filter((of) => isReferring(of.name) && isReferringOwner(of.schema))
      .flatMap((of) => of.references.map((reference) => ({ of, reference })))
      .filter(({ reference: { to } }) => isReferred(to.name) && isReferredOwner(to.schema))
      .flatMap(({ of, reference }) => foreignKeyRows(of, reference, call.database));
    return { outcome: 'listed', sets: { keys } };
  },
});
