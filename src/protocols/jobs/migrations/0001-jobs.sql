-- Jobs, groups and items as the three protocols share them (MS-TSSPROC 3.1.1, MS-WORDSSP 3.1.1, MS-WORDSSP2 3.2.1);
-- each protocol's own migration adds its columns.

create table jobs (
  -- Groups and items hang on it: see job-key.ts.
  job_key bigint not null primary key,
  job_id bigint not null unique,
  -- '' is no partition.
  partition_id text not null,
  create_time bigint not null,
  cancel_time bigint,
  submitted bigint not null default 0,
  -- How many items were ever added.
  item_total bigint not null default 0,
  -- What the job says of its items, so that no call reads them in vain: see hints.ts.
  waiting bigint not null default 0,
  running_since bigint,
  first_stop bigint,
  stops_until bigint not null default 0,
  -- Items that stopped before this moment are deleted; upkeep removes their rows. Only MS-TSSPROC deletes items without
  -- their job (3.1.5.13).
  expired_before bigint not null default 0,
  name text,
  settings text
);

-- In the order in which proc_GetConversionBatch lists jobs.
create unique index jobs_in_line on jobs (create_time, job_id)
  where submitted = 1 and cancel_time is null and waiting = 1;
create index jobs_running on jobs (running_since)
  where submitted = 1 and cancel_time is null and running_since is not null;

create table groups (
  job_key bigint not null,
  group_id bigint not null,
  input_root text,
  output_root text,
  primary key (job_key, group_id)
);

-- Finishing items is what thousands of calls a second do, and each index is one more page that each of them writes: an
-- item that a worker finishes leaves items_open, and nothing else changes.
create table items (
  job_key bigint not null,
  group_id bigint not null,
  item_id bigint not null,
  start_time bigint,
  stop_time bigint,
  attempts_remaining bigint not null,
  worker text,
  error_code bigint,
  input_file text not null,
  output_file text,
  -- The job's key while the item has no StopTime: a query by it can only use the index below, whatever a planner guesses.
  open_in bigint generated always as (case when stop_time is null then job_key end) stored,
  -- The job's key when the item has stopped without having started, which hardly any does.
  skipped_in bigint generated always as (case when stop_time is not null and start_time is null then job_key end) stored,
  primary key (job_key, group_id, item_id)
) without rowid;

create index items_open on items (open_in, start_time, group_id, item_id) where open_in is not null;
create index items_skipped on items (skipped_in, stop_time) where skipped_in is not null;

-- What proc_JobsExpire left for upkeep to remove: all rows of a key, or those of the items that stopped before a moment.
create table purges (
  job_key bigint not null primary key,
  stopped_before bigint,
  -- The last item that upkeep has looked at; it starts before all.
  seen_group bigint not null default -32769,
  seen_item bigint not null default 0
);
