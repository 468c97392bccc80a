import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bigint } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const reportCommandCompleted = procedure({
  name: 'proc_MSS_ReportCommandCompleted',
  aliases: ['proc_MSS_ReportCommandComplete'],
  section: 'MS-SQLPGAT2 3.1.5.73',
  summary: 'Records that a command was executed.',
  access: 'write',
  params: { CommandID: nullable(bigint, 'The command.') },
  outcomes: done,
  async handle({ db, now }, { CommandID }) {
    await db.run(sql`
      update commands set completed = 1, completed_time = ${now} where command_id = ${CommandID} and completed = 0`);
    return { outcome: 'done' };
  },
});
