-- The lock of a job definition: one holder, whose lease began at lock_time; how long it lasts is told by each call.
create table job_locks (
  job_id text primary key,
  server_id text not null,
  lock_time bigint not null,
  marked bigint not null default 0
);
create index job_locks_by_server on job_locks (server_id);
create index job_locks_marked on job_locks (lock_time) where marked = 1;

-- The lock of a content database; the empty text stands for the database that the call is made in.
create table content_database_locks (
  content_database_id text primary key,
  server_id text not null,
  lock_time bigint not null
);
