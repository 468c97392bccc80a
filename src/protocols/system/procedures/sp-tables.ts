import { compare } from '../../../base/collation.ts';
import type { Call } from '../../../procedure/call.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { systemSection } from '../../../procedure/describe.ts';
import { optional } from '../../../procedure/param.ts';
import { bit, nvarchar, varchar } from '../../../tds/types/index.ts';
import { type CatalogRelation, catalogOf } from '../catalog.ts';
import { schemaIds, sysname } from '../names.ts';
import { checkQualifier, nameTest } from '../pattern.ts';

const columns = {
  TABLE_QUALIFIER: orNull(sysname),
  TABLE_OWNER: orNull(sysname),
  TABLE_NAME: orNull(sysname),
  TABLE_TYPE: orNull(varchar(32)),
  REMARKS: orNull(varchar(254)),
};

const nothing = { TABLE_QUALIFIER: null, TABLE_OWNER: null, TABLE_NAME: null, TABLE_TYPE: null, REMARKS: null };

const typeOf = ({ type }: CatalogRelation): string => (type === 'view' ? 'VIEW' : 'TABLE');

/** The types that a caller lists: 'TABLE','VIEW', each in quotes or not. */
function typeTest(list: string | null): (type: string) => boolean {
  if (list === null || list === '' || list === '%') return () => true;
  const wanted = new Set(list.split(',').map((type) => type.trim().replace(/^'|'$/g, '').toUpperCase()));
  return (type) => wanted.has(type);
}

const order: readonly string[] = ['TABLE', 'VIEW'];

function tables(call: Call, name: string | null, owner: string | null, type: string | null, pattern: boolean | null) {
  const isWanted = nameTest(name, pattern);
  const isOwner = nameTest(owner, pattern);
  const isType = typeTest(type);
  return catalogOf(call)
    .relations.filter((of) => isWanted(of.name) && isOwner(of.schema) && isType(typeOf(of)))
    .sort(
      (a, b) =>
        order.indexOf(typeOf(a)) - order.indexOf(typeOf(b)) || compare(a.schema, b.schema) || compare(a.name, b.name),
    )
    .map((of) => ({
      TABLE_QUALIFIER: call.database,
      TABLE_OWNER: of.schema,
      TABLE_NAME: of.name,
      TABLE_TYPE: typeOf(of),
      REMARKS: null,
    }));
}

/** sp_tables: tables and views; with % in one place and empty texts in the others, the databases, schemas or types. */
export const spTables = procedure({
  name: 'sp_tables',
  aliases: ['sp_tableswc'], // what FreeTDS calls where the database is a pattern too
  section: systemSection,
  summary: 'Lists tables and views, or databases, schemas or types of tables.',
  access: 'none',
  params: {
    table_name: optional(nvarchar(384), null, 'A pattern of table and view names.'),
    table_owner: optional(nvarchar(384), null, 'A pattern of schema names.'),
    table_qualifier: optional(sysname, null, 'The database: the current one.'),
    table_type: optional(varchar(100), null, "The types wanted: 'TABLE','VIEW','SYSTEM TABLE'."),
    fUsePattern: optional(bit, true, 'Whether %, _ and [] are wildcards.'),
  },
  outcomes: { listed: { code: 0, meaning: 'Always.', sets: { tables: columns } } },
  async handle(call, { table_name, table_owner, table_qualifier, table_type, fUsePattern }) {
    const listed = <T>(rows: readonly T[]) => ({ outcome: 'listed' as const, sets: { tables: rows } });
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
    return listed(tables(call, table_name, table_owner, table_type, fUsePattern));
  },
});
