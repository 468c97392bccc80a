import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { reasonsOf } from './level.ts';
import { Level } from './params.ts';

export const setStatusChangeRequest = procedure({
  name: 'proc_MSS_SetStatusChangeRequest',
  section: 'MS-SQLPGAT2 3.1.5.80',
  summary: 'Asks all components to reset, to pause or to resume.',
  access: 'write',
  params: {
    HaveResetRequest: nullable(int, '1 for a reset; the other parameters then do not matter.'),
    HavePauseRequest: nullable(int, '1 for a pause, 0 for a resume.'),
    Level,
    Reason: nullable(int, 'The reasons that a pause adds, or those that are left after a resume (2.2.2.1).'),
  },
  outcomes: {
    refused: { code: 0, meaning: 'The request makes no sense and is not registered.' },
    registered: { code: 1, meaning: 'The request is registered.' },
  },
  async handle({ db }, { HaveResetRequest, HavePauseRequest, Level: level, Reason }) {
    if (HaveResetRequest === 1) {
      await db.run(sql`update component_activity set have_reset_request = 1`);
      return { outcome: 'registered' };
    }
    const reasons = reasonsOf(level);
    if (reasons === undefined || Reason === null) return { outcome: 'refused' };
    if (HavePauseRequest !== 0 && HavePauseRequest !== 1) return { outcome: 'refused' };
    const { desired } = reasons;
    const wanted = HavePauseRequest === 1 ? sql`${desired} | ${Reason}` : sql`${Reason}`;
    await db.run(sql`update component_activity set ${desired} = ${wanted}`);
    return { outcome: 'registered' };
  },
});
