import { type Columns, orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { required } from '../../procedure/param.ts';
import { collationBytes } from '../../tds/types/collation.ts';
import { binary, int, nvarchar } from '../../tds/types/index.ts';
import { collationOf } from '../collation-of.ts';
import { sysname } from '../names.ts';
import { objectNamed } from '../object-named.ts';

const columns = {
  colid: int,
  name: sysname,
  tds_collation: orNull(binary(5)),
  collation: orNull(sysname),
} satisfies Columns;

const listing = (name: string) =>
  systemProcedure({
    name,
    section: systemSection,
    summary: 'Lists the collations of a table’s columns, which SqlBulkCopy requests before it loads rows.',
    access: 'none',
    noCount: true,
    params: { object: required(nvarchar(4000), 'The table.') },
    outcomes: { listed: { code: 0, meaning: 'Always.', sets: { collations: columns } } },
    handle(call, { object }) {
      const found = objectNamed(call, object);
      const listed = found === undefined || 'params' in found ? [] : found.columns;
      const rows = listed.map(({ name: column, type }, at) => {
        const collation = collationOf(type);
        return {
          colid: at + 1,
          name: column,
          tds_collation: collation === null ? null : (type.collation?.bytes ?? collationBytes),
          collation,
        };
      });
      return { outcome: 'listed', sets: { collations: rows } };
    },
  });

/** sp_tablecollations_90: for SqlBulkCopy against SQL Server 2005. */
export const spTablecollations90 = listing('sp_tablecollations_90');
/** sp_tablecollations_100: for SqlBulkCopy against SQL Server 2008 and later. */
export const spTablecollations100 = listing('sp_tablecollations_100');
