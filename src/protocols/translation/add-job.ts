import { fold } from '../../base/text/collation.ts';
import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional, required } from '../../procedure/param.ts';
import { bigint, int, nvarchar, uniqueidentifier, varbinary } from '../../tds/types/index.ts';
import { duplicateJob } from '../jobs/errors.ts';
import { nextJobKey } from '../jobs/job-key.ts';
import { keptPartition } from '../jobs/partition.ts';
import { isOwn } from '../jobs/settings/job-settings.ts';
import { reserveItems } from './daily-limits.ts';
import { noteRefusal } from './refusals.ts';

export const addJob = procedure({
  name: 'proc_AddJob',
  section: 'MS-TSSPROC 3.1.5.2',
  summary: 'Adds a translation job, unless its items would break a daily limit.',
  access: 'write',
  params: {
    JobId: required(bigint, 'The new job.'),
    UserId: optional(nvarchar('max'), null, 'Who submits the job; its meaning is the client’s.'),
    UserToken: required(varbinary('max'), 'The credentials of the user; their meaning is the client’s.'),
    PartitionId: optional(uniqueidentifier, null, 'The partition that the job runs on, or NULL for none.'),
    Settings: required(nvarchar('max'), 'Settings for all items of the job, kept as they are written.'),
    Name: optional(nvarchar('max'), null, 'A label for the job.'),
    ItemCount: optional(int, null, 'How many items the job will have; NULL checks and counts nothing.'),
    MaxItemsPerDay: optional(int, null, 'The most items that may be added in 24 hours; NULL is no limit.'),
    MaxItemsPerPartitionPerDay: optional(int, null, 'The same within the job’s partition; NULL is no limit.'),
  },
  outcomes: {
    added: { code: 0, meaning: 'The job was added.' },
    limitExceeded: { code: 1, meaning: 'The job was not added: it would exceed one of the two daily limits.' },
  },
  async handle({ db, now }, job) {
    if (!(await reserveItems(db, now, job))) {
      await noteRefusal(db, now, job);
      return { outcome: 'limitExceeded' };
    }
    const added = await db.run(sql`
      insert into jobs (
        job_key, job_id, partition_id, create_time,
        user_id, user_key, name, settings, own, user_token)
      values (
        ${await nextJobKey(db)}, ${job.JobId}, ${keptPartition(job.PartitionId)}, ${now},
        ${job.UserId}, ${job.UserId === null ? null : fold(job.UserId)}, ${job.Name}, ${job.Settings},
        ${isOwn(job.Settings)}, ${job.UserToken})
      on conflict (job_id) do nothing`);
    if (added === 0) throw duplicateJob(job.JobId);
    return { outcome: 'added' };
  },
});
