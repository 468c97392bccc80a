create table known_kinds (
  name text not null primary key,
  since bigint not null
);
