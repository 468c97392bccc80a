-- Jobs that a daily limit refused within the last day (3.1.5.2), so that people can be told until when; the protocol knows
-- nothing of them.

create table refused_jobs (
  job_id bigint not null primary key,
  partition_id text not null,
  items bigint not null,
  day_limit bigint,
  partition_limit bigint,
  refused bigint not null
);
