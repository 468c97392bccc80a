-- Jobs whose settings are Granary's own (settings/job-settings.ts): a worker may keep to them.

alter table jobs add column own bigint not null default 0;

create unique index own_jobs_in_line on jobs (create_time, job_id)
  where submitted = 1 and cancel_time is null and waiting = 1 and own = 1;
