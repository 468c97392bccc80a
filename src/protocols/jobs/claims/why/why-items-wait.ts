import { sqlError } from '../../../../base/messages/sql-error.ts';
import type { Db } from '../../../../engine/db.ts';
import { type Sql, sql } from '../../../../engine/sql.ts';
import { orNull, procedure } from '../../../../procedure/declare.ts';
import { optional, required } from '../../../../procedure/param.ts';
import {
  bigint,
  bit,
  datetime,
  int,
  nvarchar,
  smallint,
  tinyint,
  uniqueidentifier,
  varchar,
} from '../../../../tds/types/index.ts';
import { everything, indexOrder } from '../../hand-out.ts';
import { leaseTime } from '../lease.ts';
import { circumstancesOf, type JobCircumstances, notStartedUpTo } from './circumstances.ts';
import { reasonOf, refusedReason } from './reason.ts';
import type { Refusal } from './refusal.ts';

const waiting = {
  GroupId: orNull(smallint),
  ItemId: orNull(int),
  InputFile: orNull(nvarchar('max')),
  State: varchar(20),
  Reason: nvarchar('max'),
  Ahead: orNull(bigint),
  StartTime: orNull(datetime),
  Worker: orNull(uniqueidentifier),
  Name: orNull(nvarchar(256)),
  LeaseUntil: orNull(datetime),
  Failures: int,
  LastError: orNull(int),
  LastMessage: orNull(nvarchar(1000)),
  AttemptsRemaining: orNull(tinyint),
  Until: orNull(datetime),
};

const item = {
  GroupId: smallint,
  ItemId: int,
  InputFile: nvarchar('max'),
  StartTime: orNull(datetime),
  Worker: orNull(uniqueidentifier),
  Name: orNull(nvarchar(256)),
  LeaseUntil: orNull(datetime),
  IsLapsed: bit,
  MaxAttempts: orNull(int),
  AttemptsRemaining: tinyint,
  LastError: orNull(int),
  LastMessage: orNull(nvarchar(1000)),
};

const nothing = {
  Ahead: null,
  StartTime: null,
  Worker: null,
  Name: null,
  LeaseUntil: null,
  Failures: 0,
  LastError: null,
  LastMessage: null,
  Until: null,
};

/** Explains why a job was never added; undefined for protocols without limits. */
type Refusals = (db: Db, now: Date, JobId: bigint) => Promise<Refusal | undefined>;

/** granary.WhyItemsWait of a protocol. */
export const whyItemsWaitOf = (refusalOf: Refusals = async () => undefined) =>
  procedure({
    name: 'WhyItemsWait',
    schema: 'granary',
    section: 'Granary',
    summary: 'Says why each unfinished item of a job is waiting, in a word and in a sentence.',
    access: 'read',
    params: {
      JobId: required(bigint, 'The job.'),
      GroupId: optional(smallint, null, 'Only items of this group; NULL means all groups.'),
      AfterItem: optional(int, null, 'Only items of that group after this one; NULL means all.'),
      Most: optional(int, null, 'The most items to list; NULL is no limit.'),
    },
    outcomes: {
      done: {
        code: 0,
        meaning: 'The items by group and item; none of a job that is not there.',
        sets: { Items: waiting },
      },
    },
    async handle({ db, now }, { JobId, GroupId, AfterItem, Most }) {
      if (Most !== null && Most < 0) throw sqlError(127);
      const job = await circumstancesOf(db, now, JobId);
      if (job !== undefined) {
        const Items = itemsOf(db, now, job, { GroupId, AfterItem, most: Most ?? everything });
        return { outcome: 'done', sets: { Items } };
      }
      const refusal = await refusalOf(db, now, JobId);
      if (refusal === undefined) return { outcome: 'done', sets: { Items: [] } };
      const none = { GroupId: null, ItemId: null, InputFile: null, AttemptsRemaining: null };
      const row = { ...nothing, ...none, ...refusedReason(refusal), Until: refusal.until ?? null };
      return { outcome: 'done', sets: { Items: [row] } };
    },
  });

interface Part {
  readonly GroupId: number | null;
  readonly AfterItem: number | null;
  readonly most: number;
}

async function* itemsOf(db: Db, now: Date, job: JobCircumstances, { GroupId, AfterItem, most }: Part) {
  // ItemIds may be negative: the start must precede every item.
  const after = AfterItem ?? -(2 ** 31) - 1;
  const skipped = GroupId === null ? 0 : await notStartedUpTo(db, job.key, GroupId, after);
  let ahead = job.ahead + skipped;
  const part = GroupId === null ? sql`` : sql`and i.group_id = ${GroupId} and i.item_id > ${after}`;
  for await (const row of db.rows(item, openItems(now, job.key, part, most))) {
    const { IsLapsed, MaxAttempts, ...shown } = row;
    const isStarted = row.StartTime !== null;
    const failures = failuresOf(MaxAttempts, row.AttemptsRemaining, isStarted, row.LastError !== null);
    const reason = reasonOf({ ...row, isLapsed: IsLapsed, failures }, job, ahead);
    yield {
      ...nothing,
      ...shown,
      ...reason,
      Failures: failures,
      Ahead: reason.State === 'Behind' || reason.State === 'NoWorker' ? BigInt(ahead) : null,
    };
    if (!isStarted) ahead += 1;
  }
}

/** How many attempts at an item have failed; groups from older releases do not record the maximum. */
function failuresOf(max: number | null, left: number, isStarted: boolean, hasFailed: boolean): number {
  if (max === null) return hasFailed ? 1 : 0;
  return Math.max(0, max - left - (isStarted ? 1 : 0));
}

/** Open items by group and item. */
function openItems(now: Date, key: bigint, part: Sql, most: number): Sql {
  const isAll = most === everything;
  return sql`
    select i.group_id as "GroupId", i.item_id as "ItemId", i.input_file as "InputFile", i.start_time as "StartTime",
      i.worker as "Worker", w.name as "Name", i.leased_until as "LeaseUntil",
      case when i.leased_until <= ${leaseTime(now)} then 1 else 0 end as "IsLapsed", g.max_attempts as "MaxAttempts",
      i.attempts_remaining as "AttemptsRemaining", i.last_error as "LastError", i.last_message as "LastMessage"
    from ${isAll ? sql`` : sql`${firstOpen(key, part, most)} f cross join`} items i
      join groups g on g.job_key = i.job_key and g.group_id = i.group_id
      left join workers w on w.worker = i.worker
    where i.job_key = ${key} and i.stop_time is null
      ${isAll ? part : sql`and i.group_id = f.group_id and i.item_id = f.item_id`}
    order by i.group_id, i.item_id
    limit ${most}`;
}

/**
 * The first open items, up to a limit of those not started and of those in progress. The index of open items has the
 * ones not started in their order; the primary key would read every finished item before them. SQLite reads what
 * precedes a cross join first; otherwise it might look for each item of the job among those found.
 */
function firstOpen(key: bigint, part: Sql, most: number): Sql {
  const those = (condition: Sql, order: Sql) => sql`
    select * from (
      select i.group_id, i.item_id from items i
      where i.open_in = ${key} and ${condition} ${part}
      order by ${order} limit ${most}) found`;
  const notStarted = those(sql`i.start_time is null`, indexOrder);
  return sql`(${notStarted} union all ${those(sql`i.start_time is not null`, sql`i.group_id, i.item_id`)})`;
}
