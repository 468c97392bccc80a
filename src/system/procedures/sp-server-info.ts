import { orNull, systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import { optional } from '../../procedure/param.ts';
import type { ServerView } from '../../procedure/server-view.ts';
import { int, varchar } from '../../tds/types/index.ts';

/** The attributes of sp_server_info by number; what Granary cannot do is N. */
const attributes = ({ version }: ServerView): readonly (readonly [number, string, string])[] => [
  [1, 'DBMS_NAME', 'Microsoft SQL Server'],
  [2, 'DBMS_VER', `Microsoft SQL Server - ${version}`],
  [10, 'OWNER_TERM', 'owner'],
  [11, 'TABLE_TERM', 'table'],
  [12, 'MAX_OWNER_NAME_LENGTH', '128'],
  [13, 'TABLE_LENGTH', '128'],
  [14, 'MAX_QUAL_LENGTH', '128'],
  [15, 'COLUMN_LENGTH', '128'],
  [16, 'IDENTIFIER_CASE', 'MIXED'],
  [17, 'TX_ISOLATION', '2'],
  [18, 'COLLATION_SEQ', 'charset=iso_1 sort_order=nocase_iso charset_num=1 sort_order_num=52'],
  [19, 'SAVEPOINT_SUPPORT', 'Y'],
  [20, 'MULTI_RESULT_SETS', 'Y'],
  [22, 'ACCESSIBLE_TABLES', 'Y'],
  [100, 'USERID_LENGTH', '128'],
  [101, 'QUALIFIER_TERM', 'database'],
  [102, 'NAMED_TRANSACTIONS', 'Y'],
  [103, 'SPROC_AS_LANGUAGE', 'Y'],
  [104, 'ACCESSIBLE_SPROC', 'Y'],
  [105, 'MAX_INDEX_COLS', '16'],
  [106, 'RENAME_TABLE', 'N'],
  [107, 'RENAME_COLUMN', 'N'],
  [108, 'DROP_COLUMN', 'N'],
  [109, 'INCREASE_COLUMN_LENGTH', 'N'],
  [110, 'DDL_IN_TRANSACTION', 'N'],
  [111, 'DESCENDING_INDEXES', 'N'],
  [112, 'SP_RENAME', 'N'],
  [113, 'REMOTE_SPROC', 'N'],
  [500, 'SYS_SPROC_VERSION', version],
];

/** sp_server_info: what the server can do, by attribute. */
export const spServerInfo = systemProcedure({
  name: 'sp_server_info',
  section: systemSection,
  summary: 'Lists what the server is and can do.',
  access: 'none',
  params: { attribute_id: optional(int, null, 'One attribute; without it, all.') },
  outcomes: {
    listed: {
      code: 0,
      meaning: 'Always.',
      sets: {
        attributes: { ATTRIBUTE_ID: int, ATTRIBUTE_NAME: varchar(60), ATTRIBUTE_VALUE: orNull(varchar(255)) },
      },
    },
  },
  handle: ({ server }, { attribute_id }) => ({
    outcome: 'listed',
    sets: {
      attributes: attributes(server)
        .filter(([id]) => attribute_id === null || id === attribute_id)
        .map(([id, name, value]) => ({ ATTRIBUTE_ID: id, ATTRIBUTE_NAME: name, ATTRIBUTE_VALUE: value })),
    },
  }),
});
