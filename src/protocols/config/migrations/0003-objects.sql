-- Configuration objects (3.1.1.1).
create table objects (
  id text primary key,
  -- As the client gave it: NULL, the empty GUID or the object's own id for a root.
  parent_id text,
  -- parent_id with the empty GUID for NULL, so that the names of roots are unique too.
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
