-- Crawl URL History (MS-SQLPGAT2 3.1.1.2). Columns that end in _key hold the fold of the text: texts are equal when their
-- keys are. Hashes are the clients'; the server only compares them.
create table crawl_history (
  doc_id bigint not null primary key,
  start_address_id bigint,
  content_source_id bigint,
  project_id bigint,
  crawl_id bigint not null default 0,
  commit_crawl_id bigint not null default 0,
  security_update_crawl_id bigint not null default 0,
  cached_security_update_crawl_id bigint not null default 0,
  parent_update_crawl_id bigint not null default 0,
  access_url text,
  access_key text,
  access_hash bigint,
  display_url text,
  display_key text,
  display_hash bigint,
  compact_url text,
  compact_key text,
  compact_hash bigint,
  transaction_flags bigint not null default 0,
  crawl_scope bigint,
  host_depth bigint,
  enumeration_depth bigint,
  host_id bigint,
  parent_host_id bigint,
  parent_doc_id bigint,
  site_id bigint,
  item_type bigint,
  index_type bigint,
  lcid bigint,
  end_path_flag bigint,
  md5 bigint,
  prop_md5 bigint,
  doc_props_md5 bigint,
  doc_props_blob blob,
  ph_flags bigint,
  links_bitmap bigint,
  security_id text,
  title text,
  title_lcid bigint,
  last_modified_time bigint,
  last_touch_start bigint,
  use_change_log bigint,
  change_log_cookie blob,
  change_log_cookie_type bigint,
  change_log_cookie_end blob,
  delete_pending bigint not null default 0,
  folder_del_count bigint,
  protocol_length bigint,
  retry bigint not null default 0,
  retry_count bigint not null default 0,
  delay_retry_count bigint not null default 0,
  error_id bigint not null default 0,
  error_level bigint not null default 0,
  error_desc text,
  error_source bigint,
  error_count bigint not null default 0,
  error_delete_count bigint not null default 0,
  first_error_time bigint,
  first_error_delete_time bigint,
  security_update_error_id bigint,
  log_level bigint not null default 0
);
create index crawl_history_by_access on crawl_history (access_hash);
create index crawl_history_by_display on crawl_history (display_hash);
create index crawl_history_by_compact on crawl_history (compact_hash);
create index crawl_history_by_source on crawl_history (content_source_id);
create index crawl_history_by_parent on crawl_history (parent_doc_id);
create index crawl_history_to_delete on crawl_history (content_source_id) where delete_pending <> 0;

-- Deleted URL (3.1.1.3).
create table deleted_urls (
  track_id integer primary key autoincrement,
  access_url text,
  access_key text,
  access_hash bigint,
  host_id bigint,
  content_source_id bigint
);
create index deleted_urls_by_access on deleted_urls (access_hash);
create index deleted_urls_by_host on deleted_urls (host_id);

-- Crawled Hosts (3.1.1.7).
create table crawled_hosts (
  host_id bigint not null primary key,
  host_name text,
  success_count bigint not null default 0,
  warning_count bigint not null default 0,
  error_count bigint not null default 0,
  delete_count bigint not null default 0,
  level_high_error_count bigint not null default 0
);

-- Reported Crawl Error (3.1.1.16).
create table reported_errors (
  crawl_id bigint not null,
  doc_id bigint not null,
  error_id bigint,
  mark_delete bigint not null default 0,
  children_count bigint not null,
  error_count bigint not null,
  first_error_time bigint,
  primary key (crawl_id, doc_id)
);

-- Current DocID Chunk (3.1.1.18): one row, or none.
create table doc_id_chunk (
  one bigint not null primary key check (one = 1),
  first_doc_id bigint not null,
  last_doc_id bigint not null
);

-- Identifiers of deleted documents, which FlushTemp0 gives out first.
create table free_doc_ids (
  doc_id bigint not null primary key
);

-- Local Crawl Components (3.1.1.26).
create table local_components (
  component_id bigint not null primary key,
  status bigint not null
);

-- Local Completed Crawls (3.1.1.27).
create table completed_crawls (
  crawl_id bigint not null primary key,
  time bigint not null
);

-- Stages of proc_MSS_Crawl that act only the first time that they are called for a crawl.
create table stages_run (
  crawl_id bigint not null,
  stage bigint not null,
  primary key (crawl_id, stage)
);

-- The last batch identifier: one row.
create table last_batch (
  one bigint not null primary key check (one = 1),
  batch_id bigint not null
);
insert into last_batch (one, batch_id) values (1, 0);
