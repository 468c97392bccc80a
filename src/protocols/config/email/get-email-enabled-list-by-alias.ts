import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { Alias } from './params.ts';

const listOfAlias = { SiteId: uniqueidentifier, WebId: uniqueidentifier, ListId: uniqueidentifier };

export const getEmailEnabledListByAlias = procedure({
  name: 'proc_getEmailEnabledListByAlias',
  section: 'MS-WSSCFGD2 3.1.5.23',
  summary: 'Finds the list that an e-mail alias belongs to.',
  access: 'read',
  params: { Alias, RequestGuid },
  outcomes: {
    done: {
      code: 0,
      meaning: 'The list, or no row where no list has the alias or it is marked for deletion.',
      sets: { EmailEnabledListByAlias: listOfAlias },
    },
  },
  handle({ db }, { Alias }) {
    const rows = db.rows(
      listOfAlias,
      sql`
        select site_id as "SiteId", web_id as "WebId", list_id as "ListId"
        from email_enabled_lists where alias_key = ${Alias === null ? null : fold(Alias)} and deleted = 0`,
    );
    return { outcome: 'done', sets: { EmailEnabledListByAlias: rows } };
  },
});
