import { ruleBroken } from '../../base/messages/sql-error.ts';
import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { nullable, optional, required } from '../../procedure/param.ts';
import { bigint, nvarchar, uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { duplicateJob } from '../jobs/errors.ts';
import { nextJobKey } from '../jobs/job-key.ts';
import { keptPartition } from '../jobs/partition.ts';
import { isOwn } from '../jobs/settings/job-settings.ts';

export const addJob = procedure({
  name: 'proc_AddJob',
  section: 'MS-WORDSSP 3.1.5.14',
  summary: 'Adds a conversion job.',
  access: 'write',
  params: {
    JobId: required(bigint, 'The new job.'),
    UserTokenHeader: optional(
      varbinary(32),
      null,
      'The user’s token: all three parts or none. Its meaning is the client’s.',
    ),
    UserTokenSid: optional(varbinary('max'), null, 'The second part of the token.'),
    UserTokenGroups: optional(varbinary('max'), null, 'The third part of the token.'),
    PartitionId: optional(uniqueidentifier, null, 'The partition that the job runs on, or NULL for none.'),
    Settings: nullable(nvarchar('max'), 'Settings for all items of the job, kept as they are written.'),
    Name: optional(nvarchar('max'), null, 'A label for the job.'),
  },
  outcomes: { added: { code: 0, meaning: 'The job was added. Clients ignore the code.' } },
  async handle({ db, now }, job) {
    const parts = [job.UserTokenHeader, job.UserTokenSid, job.UserTokenGroups].filter((part) => part !== null);
    if (parts.length !== 0 && parts.length !== 3) {
      throw ruleBroken('@UserTokenHeader, @UserTokenSid and @UserTokenGroups must all be NULL or all be given.');
    }
    const added = await db.run(sql`
      insert into jobs (
        job_key, job_id, partition_id, create_time,
        name, settings, own, user_token_header, user_token_sid, user_token_groups)
      values (
        ${await nextJobKey(db)}, ${job.JobId}, ${keptPartition(job.PartitionId)}, ${now},
        ${job.Name}, ${job.Settings}, ${isOwn(job.Settings)}, ${job.UserTokenHeader}, ${job.UserTokenSid}, ${job.UserTokenGroups})
      on conflict (job_id) do nothing`);
    if (added === 0) throw duplicateJob(job.JobId);
    return { outcome: 'added' };
  },
});
