-- What MS-TSSPROC keeps besides (3.1.1).

alter table jobs add column user_id text;
-- proc_AddJob always has one.
alter table jobs add column user_token blob;

-- For proc_GetConversionBatchInterleaved, which takes turns with the partitions.
create unique index jobs_in_line_by_partition on jobs (partition_id, create_time, job_id)
  where submitted = 1 and cancel_time is null and waiting = 1;

-- Items added, by partition and hour (3.1.5.8, 3.1.5.17); an hour is counted since 1970 in UTC.
create table item_counts (
  hour bigint not null,
  partition_id text not null,
  items bigint not null,
  primary key (hour, partition_id)
);
