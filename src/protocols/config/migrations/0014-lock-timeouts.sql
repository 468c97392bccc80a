-- The age in minutes at which the holder itself would count the lock as expired, as it said when it took it.
alter table job_locks add column lock_timeout bigint;
alter table content_database_locks add column lock_timeout bigint;
