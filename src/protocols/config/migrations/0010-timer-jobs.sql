-- Timer jobs (3.1.1.2): what they run on, when they will run, what runs now, what has run.

-- A resource that a job definition is to be executed on, with the state that the job keeps for it.
create table target_instances (
  job_id text not null,
  target_instance_id text not null,
  state blob,
  primary key (job_id, target_instance_id)
);
create index target_instances_by_target on target_instances (target_instance_id);

-- One record a job definition and server: scheduling again replaces it.
create table scheduled_jobs (
  job_id text not null,
  server_id text not null,
  service_id text not null,
  web_application_id text,
  start_time bigint not null,
  primary key (job_id, server_id)
);
create index scheduled_jobs_by_start on scheduled_jobs (start_time, job_id, server_id);
create index scheduled_jobs_by_server on scheduled_jobs (server_id, start_time, job_id);

-- Instances of one job definition run at the same time only on different servers.
create table running_jobs (
  job_id text not null,
  server_id text not null,
  service_id text not null,
  web_application_id text,
  job_title text,
  status bigint not null,
  start_time bigint not null,
  current_target bigint not null,
  target_count bigint not null,
  current_target_percent_done bigint,
  primary key (job_id, server_id)
);
create index running_jobs_by_server on running_jobs (server_id);

create table job_history (
  id bigint primary key,
  job_id text,
  job_title text,
  web_application_id text,
  web_application_name text,
  service_id text,
  server_id text,
  server_name text,
  status bigint,
  start_time bigint,
  end_time bigint,
  database_name text,
  error_message text
);
create index job_history_by_job on job_history (job_id, id);
create index job_history_by_server on job_history (server_id, id);
create index job_history_by_start on job_history (job_id, start_time);
create index job_history_by_end on job_history (end_time);

-- The last id of a history entry: ids go on rising when entries are deleted.
create table job_history_last_id (
  one bigint primary key check (one = 1),
  last bigint not null
);
insert into job_history_last_id (one, last) values (1, 0);
