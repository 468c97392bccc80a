-- When the next request to a host may be made, in milliseconds; for crawlers that share a limit.
create table host_turns (
  host_id bigint not null primary key,
  next_time bigint not null
);
