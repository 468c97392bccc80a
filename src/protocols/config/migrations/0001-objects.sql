-- Configuration objects, their classes and dependencies (3.1.1.1).

-- The last row version that was handed out: one row, one counter for the whole database.
create table row_version (
  id bigint primary key check (id = 1),
  last bigint not null
);
insert into row_version (id, last) values (1, 0);

create table classes (
  id text primary key,
  base_id text,
  full_name text not null
);
create index classes_by_base on classes (base_id);

create table objects (
  id text primary key,
  parent_id text,
  -- parent_id, or the empty GUID for NULL, so that roots have unique names too.
  parent_key text not null,
  class_id text not null,
  name text not null,
  name_key text not null,
  status bigint,
  version bigint not null,
  properties text not null
);
-- Also finds the children of an object.
create unique index objects_by_name on objects (parent_key, class_id, name_key);
create unique index objects_by_version on objects (version);
create index objects_by_class on objects (class_id);

-- An object that was removed, until an object of that id is stored again (3.1.5.25.4).
create table tombstones (
  id text primary key,
  version bigint not null
);
create unique index tombstones_by_version on tombstones (version);

-- object_id depends on dependee_id; proc_putDependency calls the latter DependantId.
create table dependencies (
  object_id text not null,
  dependee_id text not null,
  primary key (object_id, dependee_id)
);
create index dependencies_by_dependee on dependencies (dependee_id, object_id);
