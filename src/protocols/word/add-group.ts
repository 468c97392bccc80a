import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional, required } from '../../procedure/param.ts';
import { bigint, nvarchar, smallint, xml } from '../../tds/types/index.ts';
import { addGroup as addTo } from '../jobs/add-group.ts';
import { jobAdd } from './schemas.ts';

export const addGroup = procedure({
  name: 'proc_AddGroup',
  section: 'MS-WORDSSP 3.1.5.15',
  summary: 'Adds a conversion group and its items to a job.',
  access: 'write',
  byRows: true,
  bringsWork: true,
  params: {
    JobId: required(bigint, 'The job that the group belongs to.'),
    GroupId: required(smallint, 'The new group, unique in its job.'),
    InputRoot: optional(nvarchar('max'), null, 'What the input files of the group have in common.'),
    OutputRoot: optional(nvarchar('max'), null, 'What the output files of the group have in common.'),
    MaxAttemptsCount: nullable(smallint, 'How often each item may be attempted: 0 to 255. NULL is refused.'),
    JobXml: nullable(xml, 'The items, as databaseJobAdd (2.2.6.4.2) lists them. NULL is refused.'),
  },
  outcomes: { added: { code: 0, meaning: 'The group and its items were added. Clients ignore the code.' } },
  async prepare(call, { MaxAttemptsCount, JobXml }) {
    // Neither is specified as NOT NULL, but AttemptsRemaining is (3.1.1), and NULL conforms to no schema.
    if (MaxAttemptsCount === null) throw sqlError(515, 'AttemptsRemaining', 'dbo.Items', 'INSERT');
    if (JobXml === null) throw ruleBroken('@JobXml does not conform to its XML schema: it is NULL.');
    return { MaxAttemptsCount, listed: await jobAdd.read(JobXml, call) };
  },
  async handle(call, group, prepared) {
    await addTo(call, { ...group, ...prepared });
    return { outcome: 'added' };
  },
});
