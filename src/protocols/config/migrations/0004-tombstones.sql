-- Objects that were removed, until an object of that id is stored again (3.1.5.25.4).
create table tombstones (
  id text primary key,
  version bigint not null
);
create unique index tombstones_by_version on tombstones (version);
