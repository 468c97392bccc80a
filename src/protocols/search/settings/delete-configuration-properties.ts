import { fold } from '../../../base/text/collation.ts';
import { list, sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { nvarchar } from '../../../tds/types/index.ts';
import { Pattern } from './params.ts';
import { nameMatches } from './pattern.ts';

export const deleteConfigurationProperties = procedure({
  name: 'proc_MSS_DeleteConfigurationProperties',
  section: 'MS-SQLPGAT2 3.1.5.12',
  summary: 'Deletes the configuration properties whose names match a pattern, with exceptions.',
  access: 'write',
  params: {
    Pattern,
    PropertiesToKeep: nullable(
      nvarchar(1024),
      'The names that stay, each between commas (`,one,two,`); NULL for none.',
    ),
  },
  outcomes: { done: { code: 0, meaning: 'Only those to keep are left of the properties that match.' } },
  async handle({ db }, { Pattern: pattern, PropertiesToKeep }) {
    const matching = await db.all(
      { key: nvarchar(300) },
      sql`select name_key as "key" from configuration_properties where ${nameMatches(pattern)}`,
    );
    const kept = fold(PropertiesToKeep ?? '');
    const gone = matching.map(({ key }) => key).filter((key) => !kept.includes(`,${key},`));
    await db.run(sql`delete from configuration_properties where name_key in ${list('text', gone)}`);
    return { outcome: 'done' };
  },
});
