import { compare } from '../../base/text/collation.ts';
import { type HandlerInput, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bit, nvarchar, varchar } from '../../tds/types/index.ts';
import { type CatalogRelation, catalogIn } from '../catalog.ts';
import { schemaIds, sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';
import { usableDatabases } from '../principals.ts';

const columns = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: orNull(sysname),
  TABLE_TYPE: orNull(varchar(32)),
  REMARKS: orNull(varchar(254)),
};

const nothing = { TABLE_QUALIFIER: null, TABLE_OWNER: null, TABLE_NAME: null, TABLE_TYPE: null, REMARKS: null };

const typeOf = ({ type }: CatalogRelation): string => (type === 'view' ? 'VIEW' : 'TABLE');

/**
 * The types that a caller lists: 'TABLE','VIEW', each in as many quotes as it likes; Microsoft's JDBC driver doubles
 * them.
 */
function typeTest(list: string | null): (type: string) => boolean {
  if (list === null || list === '' || list === '%') return () => true;
  const wanted = new Set(list.split(',').map((type) => type.replace(/^['"\s]+|['"\s]+$/g, '').toUpperCase()));
  return (type) => wanted.has(type);
}

const order: readonly string[] = ['TABLE', 'VIEW'];

type Place = Parameters<typeof catalogIn>[1];

/** The requested tables and views of databases, sorted as SQL Server sorts them. */
function tables(call: SystemCall, places: readonly Place[], input: HandlerInput<typeof params>) {
  const isWanted = nameTest(input.table_name, input.fUsePattern);
  const isOwner = nameTest(input.table_owner, input.fUsePattern);
  const isType = typeTest(input.table_type);
  return places
    .flatMap((place) => catalogIn(call, place).relations.map((of) => ({ of, place: place.name, type: typeOf(of) })))
    .filter(({ of, type }) => isWanted(of.name) && isOwner(of.schema) && isType(type))
    .sort(
      (a, b) =>
        order.indexOf(a.type) - order.indexOf(b.type) ||
        compare(a.place, b.place) ||
        compare(a.of.schema, b.of.schema) ||
        compare(a.of.name, b.of.name),
    )
    .map(({ of, place, type }) => ({
      TABLE_QUALIFIER: place,
      TABLE_OWNER: of.schema,
      TABLE_NAME: of.name,
      TABLE_TYPE: type,
      REMARKS: null,
    }));
}

const listed = <T>(rows: readonly T[]) => ({ outcome: 'listed' as const, sets: { tables: rows } });

const params = {
  table_name: optional(nvarchar(384), null, 'A pattern of table and view names.'),
  table_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
  table_qualifier: optional(sysname, null, 'The database: the current one.'),
  table_type: optional(varchar(100), null, "The types wanted: 'TABLE','VIEW','SYSTEM TABLE'."),
  fUsePattern: optional(bit, true, 'Whether %, _ and [] are wildcards.'),
};

/** sp_tables: tables and views; with % in one place and empty texts in the others, the databases, schemas or types. */
export const spTables = systemProcedure({
  name: 'sp_tables',
  section: systemSection,
  summary: 'Lists tables and views, or databases, schemas or types of tables.',
  access: 'none',
  params,
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { tables: columns } } },
  async handle(call, input) {
    const { table_name, table_owner, table_qualifier, table_type } = input;
    if (table_name === '' && table_owner === '' && table_qualifier === '%') {
      const names = (await call.server.databases()).map(({ name }) => name).sort(compare);
      return listed(names.map((name) => ({ ...nothing, TABLE_QUALIFIER: name })));
    }
    if (table_name === '' && table_owner === '%' && table_qualifier === '') {
      return listed(
        Object.keys(schemaIds)
          .sort(compare)
          .map((name) => ({ ...nothing, TABLE_OWNER: name })),
      );
    }
    if (table_name === '' && table_owner === '' && table_qualifier === '' && table_type === '%') {
      return listed(['SYSTEM TABLE', ...order].map((type) => ({ ...nothing, TABLE_TYPE: type })));
    }
    checkQualifier(table_qualifier, call.database);
    return listed(tables(call, [{ name: call.database, kind: call.kind }], input));
  },
});

/** sp_tableswc: sp_tables with a pattern for the database too, over all that the login may use. */
export const spTableswc = systemProcedure({
  name: 'sp_tableswc',
  section: systemSection,
  summary: 'Lists tables and views of all databases whose names match a pattern.',
  access: 'none',
  params: { ...params, table_qualifier: optional(sysname, null, 'A pattern of database names.') },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { tables: columns } } },
  async handle(call, input) {
    const isPlace = nameTest(input.table_qualifier, input.fUsePattern);
    return listed(
      tables(
        call,
        (await usableDatabases(call)).filter(({ name }) => isPlace(name)),
        input,
      ),
    );
  },
});
