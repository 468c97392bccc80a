-- The sets that MS-SQLPGAT2 takes from MS-SRCHTP and MS-SQLPADM2, as small as it needs them.

create table crawl_stores (
  ordinal bigint not null primary key,
  id text not null unique,
  -- The name of the database.
  name text not null,
  doc_count bigint not null default 0
);

create table property_stores (
  id text not null primary key,
  name text not null
);

create table crawl_components (
  number bigint not null primary key,
  crawl_store bigint not null references crawl_stores (ordinal),
  -- 2.2.1.12.
  state bigint not null,
  desired_state bigint not null,
  is_master bigint not null default 0,
  report_time bigint,
  scope_compilation_id bigint not null default 0
);
create index crawl_components_by_store on crawl_components (crawl_store);

create table query_components (
  number bigint not null primary key,
  is_offline bigint not null default 0,
  scope_compilation_id bigint not null default 0
);

create table content_sources (
  id bigint not null primary key,
  name text not null unique
);

create table start_addresses (
  id bigint not null primary key,
  content_source bigint not null references content_sources (id),
  url text not null
);
create index start_addresses_by_source on start_addresses (content_source);

create table hosts (
  id bigint not null primary key,
  -- As names of hosts compare: in lower case.
  name text not null unique,
  crawl_store bigint not null
);
create index hosts_by_store on hosts (crawl_store);
