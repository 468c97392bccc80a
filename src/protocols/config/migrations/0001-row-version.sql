-- The last row version that was handed out: one row, one counter for the whole database (see row-version.ts).
create table row_version (
  id bigint primary key check (id = 1),
  last bigint not null
);
insert into row_version (id, last) values (1, 0);
