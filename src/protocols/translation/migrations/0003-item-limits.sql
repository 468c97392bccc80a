-- The daily limits that proc_AddJob was told last, for people who ask how much is left (the relation ItemLimits). The
-- empty text stands for all partitions together.
create table item_limits (
  partition_id text primary key,
  most bigint not null
);
