-- What objects said before: the last few versions of each, so that two can be compared (objects/earlier-versions.ts).
create table object_versions (
  id text not null,
  version bigint not null,
  replaced_time bigint not null,
  properties text not null,
  primary key (id, version)
);
