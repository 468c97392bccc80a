-- The classes of configuration objects (3.1.1.1, Class Registration).
create table classes (
  id text primary key,
  -- NULL for a root class.
  base_id text,
  full_name text not null
);
create index classes_by_base on classes (base_id);
