-- object_id depends on dependee_id, which proc_putDependency calls DependantId (3.1.5.50).
create table dependencies (
  object_id text not null,
  dependee_id text not null,
  primary key (object_id, dependee_id)
);
create index dependencies_by_dependee on dependencies (dependee_id, object_id);
