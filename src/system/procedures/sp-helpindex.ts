import { sqlError } from '../../base/messages/sql-error.ts';
import { type Columns, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { required } from '../../procedure/param.ts';
import type { TableKey } from '../../procedure/relations/tsql-view.ts';
import { nvarchar, varchar } from '../../tds/types/index.ts';
import { indexesOf } from '../indexes.ts';
import { sysname } from '../names.ts';
import { objectNamed } from '../object-named.ts';

const columns = {
  index_name: sysname,
  index_description: varchar(210),
  index_keys: nvarchar(2078),
} satisfies Columns;

/** `clustered, unique, primary key located on PRIMARY`. */
function description(key: TableKey): string {
  const words = [
    key.isClustered ? 'clustered' : 'nonclustered',
    ...(key.ignoresDuplicates ? ['ignore duplicate keys'] : []),
    ...(key.isUnique ? ['unique'] : []),
    ...(key.kind === 'index' ? [] : [key.kind.toLowerCase()]),
  ];
  return `${words.join(', ')} located on PRIMARY`;
}

/** sp_helpindex: the indexes of a table, with their columns. */
export const spHelpindex = systemProcedure({
  name: 'sp_helpindex',
  section: systemSection,
  summary: 'Lists the indexes of a table or view.',
  access: 'none',
  noCount: true,
  params: { objname: required(nvarchar(776), 'The table or view.') },
  outcomes: {
    listed: { code: 0, meaning: 'The object has indexes.', sets: { indexes: columns } },
    none: { code: 0, meaning: 'The object has none.' },
  },
  handle(call, { objname }) {
    const found = objectNamed(call, objname);
    if (found === undefined) throw sqlError(15009, objname, call.database);
    const indexes = 'params' in found ? [] : indexesOf(found).flatMap(({ key = [] }) => key);
    if (indexes.length === 0) return { outcome: 'none' };
    const rows = indexes
      .map((key) => ({
        index_name: key.name,
        index_description: description(key),
        index_keys: key.columns
          .map((column) => (key.descending?.includes(column) ? `${column}(-)` : column))
          .join(', '),
      }))
      .sort((a, b) => (a.index_name < b.index_name ? -1 : 1));
    return { outcome: 'listed', sets: { indexes: rows } };
  },
});
