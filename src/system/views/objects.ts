import { fold } from '../../base/text/collation.ts';
import type { TableReference } from '../../procedure/relations/tsql-view.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import {
  type CatalogProcedure,
  type CatalogRelation,
  catalogOf,
  created,
  relationNamed,
  schemasOf,
} from '../catalog.ts';
import { type Constraint, constraintsOf, constraintTypes, isSystemNamed } from '../constraints.ts';
import { indexesOf } from '../indexes.ts';
import type { Given, RowsByView } from './rows.ts';
import { viewDependencies } from './view-dependencies.ts';

const types = {
  procedure: { type: 'P', type_desc: 'SQL_STORED_PROCEDURE' },
  table: { type: 'U', type_desc: 'USER_TABLE' },
  view: { type: 'V', type_desc: 'VIEW' },
};
type Sort = keyof typeof types;
type Wanted = 'own' | 'system' | 'all';

const sortOf = (of: CatalogProcedure | CatalogRelation): Sort => ('params' in of ? 'procedure' : of.type);
const isWanted =
  (wanted: Wanted) =>
  ({ system }: { readonly system: boolean }): boolean =>
    wanted === 'all' || system === (wanted === 'system');

/** The tables and views of a database itself. */
export const ownRelations = (call: SystemCall): readonly CatalogRelation[] =>
  catalogOf(call).relations.filter(isWanted('own'));

/** The objects of a database as sys.objects lists them. */
async function objects(call: SystemCall, wanted: Wanted, sorts: readonly Sort[] = ['procedure', 'table', 'view']) {
  const since = await created(call);
  const schemas = schemasOf(call);
  const { procedures, relations } = catalogOf(call);
  return [...procedures, ...relations]
    .values()
    .filter((of) => isWanted(wanted)(of) && sorts.includes(sortOf(of)))
    .map((of) => ({
      of,
      row: {
        name: of.name,
        object_id: of.id,
        schema_id: schemas.get(of.schema) ?? 1,
        ...types[sortOf(of)],
        create_date: since,
        modify_date: since,
        is_ms_shipped: of.system,
      },
    }));
}

/** The constraints of a database’s tables, of some types, with the rows that sys.objects has for them. */
async function constraints<T extends Constraint['type']>(call: SystemCall, ...wanted: readonly T[]) {
  const since = await created(call);
  const schemas = schemasOf(call);
  const isOne = (each: Constraint): each is Constraint & { readonly type: T } =>
    wanted.some((type) => type === each.type);
  return ownRelations(call)
    .values()
    .flatMap((of) => constraintsOf(of))
    .filter(isOne)
    .map((each) => ({
      each,
      row: {
        name: each.name,
        object_id: each.id,
        schema_id: schemas.get(each.of.schema) ?? 1,
        parent_object_id: each.of.id,
        type: each.type,
        type_desc: constraintTypes[each.type],
        create_date: since,
        modify_date: since,
        is_ms_shipped: false,
      },
    }));
}

const rowsOnly = <T>(found: IteratorObject<{ readonly row: T }>): IteratorObject<T> => found.map(({ row }) => row);

const withConstraints = (wanted: Wanted) => async (call: SystemCall) => {
  const found = [await objects(call, wanted), await constraints(call, 'PK', 'UQ', 'D', 'F', 'C')];
  return found.values().flatMap((each: IteratorObject<{ readonly row: Given }>) => rowsOnly(each));
};

const only = (wanted: Wanted, sort: Sort) => async (call: SystemCall) => rowsOnly(await objects(call, wanted, [sort]));

const views = (wanted: Wanted) => async (call: SystemCall) =>
  (await objects(call, wanted, ['view'])).map(({ of, row }) => ({
    ...row,
    with_check_option: 'module' in of && of.module?.isChecked === true,
  }));

const modules =
  (wanted: Wanted) =>
  (call: SystemCall): Iterable<Given> => {
    const { procedures, relations } = catalogOf(call);
    return [
      ...procedures
        .filter(isWanted(wanted))
        .map(({ id, definition }) => ({ object_id: id, definition: definition(), is_schema_bound: false })),
      ...relations
        .filter(isWanted(wanted))
        .flatMap(({ id, module }) =>
          module === undefined
            ? []
            : { object_id: id, definition: module.definition, is_schema_bound: module.isSchemaBound },
        ),
    ];
  };

const actions = {
  'no action': [0, 'NO_ACTION'],
  cascade: [1, 'CASCADE'],
  'set null': [2, 'SET_NULL'],
  'set default': [3, 'SET_DEFAULT'],
} as const satisfies Record<TableReference['onDelete'], readonly [number, string]>;

const numberOf = ({ columns }: CatalogRelation, name: string): number =>
  columns.findIndex((column) => fold(column.name) === fold(name)) + 1;

const referred = (call: SystemCall, { to }: TableReference): CatalogRelation | undefined =>
  relationNamed(call, to.schema, to.name);

async function foreignKeys(call: SystemCall): Promise<Iterable<Given>> {
  return (await constraints(call, 'F')).map(({ each: { name, reference }, row }) => {
    const to = referred(call, reference);
    const [onDelete, onUpdate] = [actions[reference.onDelete], actions[reference.onUpdate]];
    return {
      ...row,
      referenced_object_id: to?.id ?? null,
      is_disabled: reference.isDisabled,
      is_not_trusted: reference.isDisabled,
      key_index_id: (to && indexesOf(to).find(({ key }) => key?.name === reference.to.key)?.id) ?? null,
      delete_referential_action: onDelete[0],
      delete_referential_action_desc: onDelete[1],
      update_referential_action: onUpdate[0],
      update_referential_action_desc: onUpdate[1],
      is_system_named: isSystemNamed(name),
    };
  });
}

async function foreignKeyColumns(call: SystemCall): Promise<Iterable<Given>> {
  return (await constraints(call, 'F')).flatMap(({ each: { of, id, reference } }) => {
    const to = referred(call, reference);
    if (to === undefined) return [];
    return reference.columns.map((column, at) => ({
      constraint_object_id: id,
      constraint_column_id: at + 1,
      parent_object_id: of.id,
      parent_column_id: numberOf(of, column),
      referenced_object_id: to.id,
      referenced_column_id: numberOf(to, reference.to.columns[at] ?? ''),
    }));
  });
}

async function checks(call: SystemCall): Promise<Iterable<Given>> {
  return (await constraints(call, 'C')).map(({ each: { of, check }, row }) => {
    const { name, definition, isDisabled } = check;
    const [column, ...others] = check.columns;
    return {
      ...row,
      is_disabled: isDisabled,
      is_not_trusted: isDisabled,
      // One about a single column is that column's, wherever it was written.
      parent_column_id: column === undefined || others.length > 0 ? 0 : numberOf(of, column),
      definition,
      is_system_named: isSystemNamed(name),
    };
  });
}

/** The columns that checks are about. */
async function dependencies(call: SystemCall): Promise<Iterable<Given>> {
  return (await constraints(call, 'C')).flatMap(({ each: { of, id, check } }) =>
    check.columns.map((column) => ({
      object_id: id,
      referenced_major_id: of.id,
      referenced_minor_id: numberOf(of, column),
    })),
  );
}

const indexSorts = ['HEAP', 'CLUSTERED', 'NONCLUSTERED'];

const indexes = (call: SystemCall): Iterable<Given> =>
  catalogOf(call)
    .relations.values()
    .flatMap((of) =>
      indexesOf(of).map(({ id, key }) => ({
        object_id: of.id,
        has_filter: key?.filter !== undefined,
        filter_definition: key?.filter ?? null,
        name: key?.name ?? null,
        index_id: id,
        type: Math.min(id, 2),
        type_desc: indexSorts[Math.min(id, 2)],
        is_unique: key?.isUnique ?? false,
        ignore_dup_key: key?.ignoresDuplicates ?? false,
        is_primary_key: key?.kind === 'PRIMARY KEY',
        is_unique_constraint: key?.kind === 'UNIQUE KEY',
      })),
    );

const indexColumns = (call: SystemCall): Iterable<Given> =>
  ownRelations(call)
    .values()
    .flatMap((of) =>
      indexesOf(of).flatMap(({ id, key }) =>
        [...(key?.columns ?? []), ...(key?.included ?? [])].map((column, at) => {
          const isIncluded = at >= (key?.columns.length ?? 0);
          return {
            object_id: of.id,
            index_id: id,
            index_column_id: at + 1,
            column_id: numberOf(of, column),
            key_ordinal: isIncluded ? 0 : at + 1,
            is_descending_key: !isIncluded && (key?.descending?.includes(column) ?? false),
            is_included_column: isIncluded,
          };
        }),
      ),
    );

/** The views of objects, and of the keys and indexes of tables. */
export const objectRows: RowsByView = {
  'sys.objects': withConstraints('own'),
  'sys.all_objects': withConstraints('all'),
  'sys.system_objects': async (call) => rowsOnly(await objects(call, 'system')),
  'sys.procedures': only('own', 'procedure'),
  'sys.tables': async (call) =>
    (await objects(call, 'own', ['table'])).map(({ of, row }) => ({
      ...row,
      max_column_id_used: 'columns' in of ? of.columns.length : 0,
    })),
  'sys.views': views('own'),
  'sys.all_views': views('all'),
  'sys.system_views': views('system'),
  'sys.sql_modules': modules('own'),
  'sys.all_sql_modules': modules('all'),
  'sys.system_sql_modules': modules('system'),
  'sys.schemas': (call) =>
    [...schemasOf(call)].map(([name, id]) => ({ name, schema_id: id, principal_id: id > 4 && id < 16384 ? 1 : id })),
  'sys.key_constraints': async (call) =>
    (await constraints(call, 'PK', 'UQ')).map(({ each, row }) => ({
      ...row,
      unique_index_id: each.index,
      is_system_named: isSystemNamed(each.name),
    })),
  'sys.default_constraints': async (call) =>
    (await constraints(call, 'D')).map(({ each: { column, ordinal }, row }) => ({
      ...row,
      parent_column_id: ordinal,
      definition: column.byDefault,
    })),
  'sys.check_constraints': checks,
  'sys.sql_dependencies': dependencies,
  'sys.sql_expression_dependencies': viewDependencies,
  'sys.foreign_keys': foreignKeys,
  'sys.foreign_key_columns': foreignKeyColumns,
  'sys.indexes': indexes,
  'sys.index_columns': indexColumns,
};
