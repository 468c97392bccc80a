import { procedure } from '../../procedure/declare.ts';
import { required } from '../../procedure/param.ts';
import { bigint, nvarchar, smallint, xml } from '../../tds/types/index.ts';
import { addGroup as addTo } from '../jobs/add-group.ts';
import { jobAdd } from './schemas.ts';

export const addGroup = procedure({
  name: 'proc_AddGroup',
  section: 'MS-TSSPROC 3.1.5.1',
  summary: 'Adds a translation group and its items to a job.',
  access: 'write',
  byRows: true,
  bringsWork: true,
  params: {
    JobId: required(bigint, 'The job that the group belongs to.'),
    GroupId: required(smallint, 'The new group, unique in its job.'),
    InputRoot: required(nvarchar('max'), 'What the input files of the group have in common.'),
    OutputRoot: required(nvarchar('max'), 'What the output files of the group have in common.'),
    MaxAttemptsCount: required(smallint, 'How often each item may be attempted: 0 to 255.'),
    JobXml: required(xml, 'The items, as databaseJobAdd (2.2.6.4.2) lists them.'),
  },
  outcomes: { added: { code: 0, meaning: 'The group and its items were added. Clients ignore the code.' } },
  prepare: (call, { JobXml }) => jobAdd.read(JobXml, call),
  async handle(call, group, listed) {
    await addTo(call, { ...group, listed });
    return { outcome: 'added' };
  },
});
