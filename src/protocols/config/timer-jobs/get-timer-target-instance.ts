import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { bit, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { hasTarget } from './target-instance.ts';

export const getTimerTargetInstance = procedure({
  name: 'proc_GetTimerTargetInstance',
  section: 'MS-WSSCFGD2 3.1.5.44',
  summary: 'Returns whether a target instance is associated with a job definition.',
  access: 'read',
  params: {
    JobId: nullable(uniqueidentifier, 'The job definition; NULL for any.'),
    TargetInstanceId: nullable(uniqueidentifier, 'The target; NULL for any.'),
    Exists: output(bit, 'Set to 1 when they are associated, else to 0.'),
    RequestGuid,
  },
  outcomes: { told: { code: 0, meaning: '@Exists is set.' } },
  async handle({ db }, input) {
    return { outcome: 'told', output: { Exists: await hasTarget(db, input) } };
  },
});
