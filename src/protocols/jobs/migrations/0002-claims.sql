-- Claims: who works on an item, and for how long nobody else may (docs/jobs.md). The protocols know nothing of them.

-- The number of the last lease, which rises with every claim of the item.
alter table items add column lease bigint;
-- Until when the lease runs; NULL when nobody has claimed the item, or no longer has.
alter table items add column leased_until bigint;
-- What the last attempt failed with, and what the worker said of it.
alter table items add column last_error bigint;
alter table items add column last_message text;

-- Only items that are claimed: those of clients that follow the protocols alone are not in it.
create index items_leased on items (leased_until, worker) where leased_until is not null;

-- How often each item of the group may be attempted; groups of before do not know.
alter table groups add column max_attempts bigint;

-- Workers that claim, when they were last heard of, and until when they count as there.
create table workers (
  worker text not null primary key,
  name text,
  seen bigint not null,
  there_until bigint not null
);
