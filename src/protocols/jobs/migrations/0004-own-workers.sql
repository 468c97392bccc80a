-- Whether a worker keeps to jobs whose settings are Granary's own.

alter table workers add column own bigint not null default 0;
