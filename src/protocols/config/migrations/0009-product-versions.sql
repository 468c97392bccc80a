-- What is installed on the servers of the farm (3.1.5.27.1).
create table product_versions (
  -- A digest of what identifies a record: the names are too long for an index.
  record_key text primary key,
  server_id text not null,
  product text not null,
  version text not null,
  patchable_unit text,
  patchable_unit_name text,
  patch_name text,
  patch_url text,
  flags bigint not null
);
create index product_versions_by_server on product_versions (server_id);
