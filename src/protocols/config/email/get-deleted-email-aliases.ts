import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const deletedAlias = { Alias: nvarchar(128), ListId: uniqueidentifier };

export const getDeletedEmailAliases = procedure({
  name: 'proc_getDeletedEmailAliases',
  section: 'MS-WSSCFGD2 3.1.5.21',
  summary: 'Lists the e-mail aliases that are marked for deletion.',
  access: 'read',
  params: { RequestGuid },
  outcomes: {
    done: {
      code: 0,
      meaning: 'A row for each marked alias; the list is the empty GUID for a distribution list.',
      sets: { DeletedEmailAliases: deletedAlias },
    },
  },
  handle({ db }) {
    const rows = db.rows(
      deletedAlias,
      sql`
        select alias as "Alias", list_id as "ListId"
        from email_enabled_lists where deleted = 1 order by alias_key`,
    );
    return { outcome: 'done', sets: { DeletedEmailAliases: rows } };
  },
});
