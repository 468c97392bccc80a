-- Translation jobs, groups and items (MS-TSSPROC 3.1.1).

create table jobs (
  -- Groups and items hang on it: see job-key.ts.
  job_key bigint not null primary key,
  job_id bigint not null unique,
  -- '' is no partition.
  partition_id text not null,
  create_time bigint not null,
  cancel_time bigint,
  submitted bigint not null,
  -- How many items were ever added.
  item_total bigint not null,
  -- What the job says of its items, so that handing out work reads no job in vain: see hints.ts.
  waiting bigint not null,
  running_since bigint,
  -- Items that stopped before this moment are deleted (3.1.5.13); upkeep removes their rows.
  expired_before bigint not null,
  user_id text,
  name text,
  settings text not null,
  user_token blob not null
);

-- In the order in which proc_GetConversionBatch lists jobs.
create unique index jobs_in_line on jobs (create_time, job_id)
  where submitted = 1 and cancel_time is null and waiting = 1;
create unique index jobs_in_line_by_partition on jobs (partition_id, create_time, job_id)
  where submitted = 1 and cancel_time is null and waiting = 1;
create index jobs_running on jobs (running_since)
  where submitted = 1 and cancel_time is null and running_since is not null;

create table groups (
  job_key bigint not null,
  group_id bigint not null,
  input_root text not null,
  output_root text not null,
  primary key (job_key, group_id)
);

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
  output_file text not null,
  -- The job's key while the item has no StopTime: a query by it can only use the index below, whatever a planner guesses.
  open_in bigint generated always as (case when stop_time is null then job_key end) stored,
  -- The job's key when the item has stopped without having started, which hardly any does.
  skipped_in bigint generated always as (case when stop_time is not null and start_time is null then job_key end) stored,
  primary key (job_key, group_id, item_id)
) without rowid;

create index items_open on items (open_in, start_time, group_id, item_id) where open_in is not null;
create index items_skipped on items (skipped_in, stop_time) where skipped_in is not null;
-- proc_JobsExpire asks for the items that stopped before a moment.
create index items_stopped on items (job_key, stop_time) where stop_time is not null;

-- What proc_JobsExpire left for upkeep to remove: all rows of a key, or those of the items that stopped before a moment.
create table purges (
  job_key bigint not null primary key,
  stopped_before bigint
);

-- Items added, by partition and hour (3.1.5.8, 3.1.5.17); an hour is counted since 1970 in UTC.
create table item_counts (
  hour bigint not null,
  partition_id text not null,
  items bigint not null,
  primary key (hour, partition_id)
);
