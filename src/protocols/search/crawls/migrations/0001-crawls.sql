-- Crawl Status (MS-SQLPGAT2 3.1.1.1). Identifiers start at 2: the outputs of proc_MSS_Crawl use 1 as a signal.
create table crawls (
  crawl_id bigint not null primary key,
  project_id bigint not null,
  crawl_type bigint not null,
  content_source_id bigint not null,
  status bigint not null default 0,
  sub_status bigint not null default 0,
  request bigint not null default 0,
  request_time bigint,
  start_time bigint,
  end_time bigint,
  main_crawl_id bigint not null default 0,
  -- When status or sub-status last changed, for who watches a crawl.
  since bigint
);
create index crawls_open on crawls (project_id, content_source_id) where status not in (5, 11, 12);
create index crawls_by_source on crawls (content_source_id, crawl_id);

create table last_crawl (one bigint not null primary key check (one = 1), crawl_id bigint not null);
insert into last_crawl (one, crawl_id) values (1, 1);

-- Crawl Component Status (3.1.1.25).
create table crawl_component_status (
  crawl_id bigint not null,
  component_id bigint not null,
  status bigint not null default 0,
  -- Since when it has had nothing to do; NULL while it is busy.
  idle_since bigint,
  success_count bigint not null default 0,
  warning_count bigint not null default 0,
  error_count bigint not null default 0,
  delete_count bigint not null default 0,
  not_modified_count bigint not null default 0,
  security_only_count bigint not null default 0,
  security_only_error_count bigint not null default 0,
  level_high_error_count bigint not null default 0,
  retry_count bigint not null default 0,
  primary key (crawl_id, component_id)
);
create index crawl_component_status_by_component on crawl_component_status (component_id);

-- Crawl Store Status (3.1.1.28).
create table crawl_store_status (
  crawl_id bigint not null,
  crawl_store bigint not null,
  join_time bigint not null,
  primary key (crawl_id, crawl_store)
);
create index crawl_store_status_by_store on crawl_store_status (crawl_store);

-- Requested Delete Crawls (3.1.1.19). The crawl is 0 until stage 102 of proc_MSS_CrawlAdmin names it.
create table requested_deletes (
  id integer primary key autoincrement,
  crawl_id bigint not null default 0,
  content_source_id bigint not null,
  start_address_id bigint not null
);
create index requested_deletes_by_crawl on requested_deletes (crawl_id, content_source_id);

-- Current DocID Groups (3.1.1.17): the ranges of all crawl stores.
create table doc_id_groups (
  first_doc_id bigint not null primary key,
  last_doc_id bigint not null,
  crawl_store bigint not null,
  is_invalidated bigint not null default 0
);
create index doc_id_groups_by_store on doc_id_groups (crawl_store, first_doc_id);

-- The Crawl Error Set of MS-SQLPADM2. Identifiers of the first ones are fixed: crawl stores write them into the history.
create table crawl_errors (
  error_id bigint not null primary key,
  hr_result bigint not null unique,
  error_level bigint not null,
  mark_delete bigint not null
);
insert into crawl_errors (error_id, hr_result, error_level, mark_delete) values
  (0, 0, 0, 0),
  -- 0x41203, path not modified.
  (1, 266755, 0, 0),
  -- 0x80040D07 and 0x80040D08, excluded by a crawl rule and by site hops.
  (2, -2147218169, 1, 0),
  (3, -2147218168, 1, 0),
  -- 0x40D90, marked with a no-index tag.
  (4, 265616, 0, 0),
  -- 0x810200BC, the change log cookie is too old.
  (5, -2130575172, 2, 0),
  -- 0x80041205 and 0x80041201, access denied and not found.
  (6, -2147216891, 2, 1),
  (7, -2147216895, 2, 1);

-- Commands (3.1.1.41), filled outside this protocol.
create table commands (
  command_id integer primary key autoincrement,
  object_name text not null,
  object_key text not null,
  description text not null,
  completed bigint not null default 0,
  created_time bigint not null,
  completed_time bigint
);
create index commands_by_object on commands (object_key) where completed = 0;
