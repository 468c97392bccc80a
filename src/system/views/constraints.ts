import type { Row } from '../../base/stored.ts';
import { type Columns, orNull } from '../../procedure/declare.ts';
import { objectId } from '../../procedure/describe.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import type { TableReference } from '../../procedure/tsql-view.ts';
import { bit, int, nvarchar, sqlVariant, tinyint } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogOf, created, schemasOf } from '../catalog.ts';
import { defaultIdOf, defaultNameOf } from '../default-name.ts';
import { indexesOf } from '../indexes.ts';
import { columnRows, columns } from './columns.ts';
import { objectColumns, objectRow } from './objects.ts';
import { view } from './view.ts';

const own = (call: SystemCall): readonly CatalogRelation[] => catalogOf(call).relations.filter(({ system }) => !system);

const numberOf = ({ columns: listed }: CatalogRelation, name: string): number =>
  listed.findIndex((column) => column.name === name) + 1;

/** The columns of indexes, in their order. */
export const sysIndexColumns = view(
  'sys',
  'index_columns',
  {
    object_id: int,
    index_id: int,
    index_column_id: int,
    column_id: int,
    key_ordinal: tinyint,
    partition_ordinal: tinyint,
    is_descending_key: orNull(bit),
    is_included_column: orNull(bit),
    column_store_order_ordinal: tinyint,
  } satisfies Columns,
  (call) =>
    own(call).flatMap((of) =>
      indexesOf(of).flatMap(({ id, key }) =>
        (key?.columns ?? []).map((column, at) => ({
          object_id: of.id,
          index_id: id,
          index_column_id: at + 1,
          column_id: numberOf(of, column),
          key_ordinal: at + 1,
          partition_ordinal: 0,
          is_descending_key: false,
          is_included_column: false,
          column_store_order_ordinal: 0,
        })),
      ),
    ),
);

/** A constraint as sys.objects would list it. */
const constraintRow = async (call: SystemCall) => {
  const since = await created(call);
  const schemas = schemasOf(call);
  return (of: CatalogRelation, name: string, id: number, kind: { type: string; type_desc: string }) => ({
    ...objectRow(of, since, schemas),
    name,
    object_id: id,
    parent_object_id: of.id,
    ...kind,
  });
};

const isSystemNamed = (name: string): boolean => /__[0-9A-F]{8,16}$/.test(name);

/** The defaults of columns. */
export const sysDefaultConstraints = view(
  'sys',
  'default_constraints',
  { ...objectColumns, parent_column_id: int, definition: orNull(nvarchar('max')), is_system_named: bit },
  async (call) => {
    const row = await constraintRow(call);
    const kind = { type: 'D', type_desc: 'DEFAULT_CONSTRAINT' };
    return own(call).flatMap((of) =>
      of.columns.flatMap((column, at) =>
        column.byDefault === undefined
          ? []
          : {
              ...row(of, defaultNameOf(of, column.name), defaultIdOf(of, column), kind),
              parent_column_id: at + 1,
              definition: column.byDefault,
              is_system_named: true,
            },
      ),
    );
  },
);

const actions = {
  'no action': [0, 'NO_ACTION'],
  cascade: [1, 'CASCADE'],
  'set null': [2, 'SET_NULL'],
} as const satisfies Record<TableReference['onDelete'], readonly [number, string]>;

const references = (call: SystemCall) => {
  const all = own(call);
  return all.flatMap((of) =>
    of.references.map((reference) => ({
      of,
      reference,
      id: objectId(of.schema, reference.name),
      to: all.find(({ schema, name }) => schema === reference.to.schema && name === reference.to.name),
    })),
  );
};

/** The foreign keys of clients' tables. */
export const sysForeignKeys = view(
  'sys',
  'foreign_keys',
  {
    ...objectColumns,
    referenced_object_id: orNull(int),
    key_index_id: orNull(int),
    is_disabled: bit,
    is_not_for_replication: bit,
    is_not_trusted: bit,
    delete_referential_action: orNull(tinyint),
    delete_referential_action_desc: orNull(nvarchar(60)),
    update_referential_action: orNull(tinyint),
    update_referential_action_desc: orNull(nvarchar(60)),
    is_system_named: bit,
  },
  async (call) => {
    const row = await constraintRow(call);
    const kind = { type: 'F', type_desc: 'FOREIGN_KEY_CONSTRAINT' };
    return references(call).map(({ of, reference, id, to }) => ({
      ...row(of, reference.name, id, kind),
      referenced_object_id: to?.id ?? null,
      key_index_id: (to && indexesOf(to).find(({ key }) => key?.name === reference.to.key)?.id) ?? null,
      is_disabled: false,
      is_not_for_replication: false,
      is_not_trusted: false,
      delete_referential_action: actions[reference.onDelete][0],
      delete_referential_action_desc: actions[reference.onDelete][1],
      update_referential_action: actions[reference.onUpdate][0],
      update_referential_action_desc: actions[reference.onUpdate][1],
      is_system_named: isSystemNamed(reference.name),
    }));
  },
);

/** The columns of foreign keys, with those that they refer to. */
export const sysForeignKeyColumns = view(
  'sys',
  'foreign_key_columns',
  {
    constraint_object_id: int,
    constraint_column_id: int,
    parent_object_id: int,
    parent_column_id: int,
    referenced_object_id: int,
    referenced_column_id: int,
  } satisfies Columns,
  (call) =>
    references(call).flatMap(({ of, reference, id, to }) =>
      to === undefined
        ? []
        : reference.columns.map((column, at) => ({
            constraint_object_id: id,
            constraint_column_id: at + 1,
            parent_object_id: of.id,
            parent_column_id: numberOf(of, column),
            referenced_object_id: to.id,
            referenced_column_id: numberOf(to, reference.to.columns[at] ?? ''),
          })),
    ),
);

const identityColumns = {
  ...columns,
  seed_value: orNull(sqlVariant),
  increment_value: orNull(sqlVariant),
  last_value: orNull(sqlVariant),
  is_not_for_replication: orNull(bit),
} satisfies Columns;

/** The columns that number rows; the last number is nobody's business but IDENT_CURRENT's. */
export const sysIdentityColumns = view('sys', 'identity_columns', identityColumns, (call) =>
  own(call).flatMap((of) =>
    columnRows(of).flatMap((row, at): Row<typeof identityColumns>[] => {
      const { identity, type } = of.columns[at] ?? {};
      if (identity === undefined || type === undefined) return [];
      const value = (number: bigint) =>
        type.name === 'bigint' ? { type, value: number } : { type: int, value: Number(number) };
      return [
        {
          ...row,
          seed_value: value(identity.seed),
          increment_value: value(identity.increment),
          last_value: null,
          is_not_for_replication: false,
        },
      ];
    }),
  ),
);
