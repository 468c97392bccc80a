import type { Columns } from '../../procedure/declare.ts';
import { orNull } from '../../procedure/declare.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { int, nvarchar, varchar } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { sysname } from '../names.ts';
import { view } from './view.ts';

const name = orNull(sysname);
const iso = 'INFORMATION_SCHEMA';
const constraint = { CONSTRAINT_CATALOG: name, CONSTRAINT_SCHEMA: name, CONSTRAINT_NAME: sysname } satisfies Columns;
const table = { TABLE_CATALOG: name, TABLE_SCHEMA: name, TABLE_NAME: sysname } satisfies Columns;

/** A key of a table: its own, or one that refers to another table. */
interface Key {
  readonly of: CatalogRelation;
  readonly name: string;
  readonly type: 'PRIMARY KEY' | 'UNIQUE' | 'FOREIGN KEY';
  readonly columns: readonly string[];
}

const own = (call: SystemCall): readonly CatalogRelation[] => catalogOf(call).relations.filter(({ system }) => !system);

function* keysOf(of: CatalogRelation): Generator<Key> {
  for (const key of of.keys) {
    if (key.kind === 'index') continue;
    yield { of, name: key.name, type: key.kind === 'PRIMARY KEY' ? key.kind : 'UNIQUE', columns: key.columns };
  }
  for (const reference of of.references)
    yield { of, name: reference.name, type: 'FOREIGN KEY', columns: reference.columns };
}

const keys = (call: SystemCall): Key[] => own(call).flatMap((of) => [...keysOf(of)]);

const constraintRow = ({ database }: SystemCall, key: { of: CatalogRelation; name: string }) => ({
  CONSTRAINT_CATALOG: database,
  CONSTRAINT_SCHEMA: key.of.schema,
  CONSTRAINT_NAME: key.name,
});
const tableRow = ({ database }: SystemCall, of: CatalogRelation) => ({
  TABLE_CATALOG: database,
  TABLE_SCHEMA: of.schema,
  TABLE_NAME: of.name,
});

/** The keys of tables, as the SQL standard lists them. */
export const isoTableConstraints = view(
  iso,
  'TABLE_CONSTRAINTS',
  {
    ...constraint,
    ...table,
    CONSTRAINT_TYPE: orNull(varchar(11)),
    IS_DEFERRABLE: varchar(2),
    INITIALLY_DEFERRED: varchar(2),
  },
  (call) =>
    keys(call).map((key) => ({
      ...constraintRow(call, key),
      ...tableRow(call, key.of),
      CONSTRAINT_TYPE: key.type,
      IS_DEFERRABLE: 'NO',
      INITIALLY_DEFERRED: 'NO',
    })),
);

/** The columns of keys, in their order. */
export const isoKeyColumnUsage = view(
  iso,
  'KEY_COLUMN_USAGE',
  { ...constraint, ...table, COLUMN_NAME: name, ORDINAL_POSITION: int },
  (call) =>
    keys(call).flatMap((key) =>
      key.columns.map((column, at) => ({
        ...constraintRow(call, key),
        ...tableRow(call, key.of),
        COLUMN_NAME: column,
        ORDINAL_POSITION: at + 1,
      })),
    ),
);

/** The columns that constraints are on. */
export const isoConstraintColumnUsage = view(
  iso,
  'CONSTRAINT_COLUMN_USAGE',
  { ...table, COLUMN_NAME: name, ...constraint },
  (call) =>
    keys(call).flatMap((key) =>
      key.columns.map((column) => ({
        ...tableRow(call, key.of),
        COLUMN_NAME: column,
        ...constraintRow(call, key),
      })),
    ),
);

/** The tables that constraints are on. */
export const isoConstraintTableUsage = view(iso, 'CONSTRAINT_TABLE_USAGE', { ...table, ...constraint }, (call) =>
  keys(call).map((key) => ({ ...tableRow(call, key.of), ...constraintRow(call, key) })),
);

/** The foreign keys, with the keys that they refer to. */
export const isoReferentialConstraints = view(
  iso,
  'REFERENTIAL_CONSTRAINTS',
  {
    ...constraint,
    UNIQUE_CONSTRAINT_CATALOG: name,
    UNIQUE_CONSTRAINT_SCHEMA: name,
    UNIQUE_CONSTRAINT_NAME: name,
    MATCH_OPTION: orNull(varchar(7)),
    UPDATE_RULE: orNull(varchar(11)),
    DELETE_RULE: orNull(varchar(11)),
  },
  (call) =>
    own(call).flatMap((of) =>
      of.references.map((reference) => ({
        ...constraintRow(call, { of, name: reference.name }),
        UNIQUE_CONSTRAINT_CATALOG: call.database,
        UNIQUE_CONSTRAINT_SCHEMA: reference.to.schema,
        UNIQUE_CONSTRAINT_NAME: reference.to.key,
        MATCH_OPTION: 'SIMPLE',
        UPDATE_RULE: reference.onUpdate.toUpperCase(),
        DELETE_RULE: reference.onDelete.toUpperCase(),
      })),
    ),
);

/** The views of the database; how they are made is nobody's business. */
export const isoViews = view(
  iso,
  'VIEWS',
  {
    ...table,
    VIEW_DEFINITION: orNull(nvarchar(4000)),
    CHECK_OPTION: orNull(varchar(7)),
    IS_UPDATABLE: varchar(2),
  },
  (call) =>
    own(call)
      .filter(({ type }) => type === 'view')
      .map((of) => ({ ...tableRow(call, of), VIEW_DEFINITION: null, CHECK_OPTION: 'NONE', IS_UPDATABLE: 'NO' })),
);
