-- Crawl Queue (MS-SQLPGAT2 3.1.1.4). A row is free while its batch is 0; the words `batch_id = 0` and `batch_id <> 0` stand
-- in every statement, so that one of the two partial indexes answers it however long the queue is.
create table crawl_queue (
  seq_id integer primary key autoincrement,
  crawl_id bigint not null,
  doc_id bigint not null,
  source_doc_id bigint,
  start_address_id bigint,
  content_source_id bigint,
  project_id bigint,
  transaction_type bigint not null,
  scope bigint,
  transaction_flags bigint not null default 0,
  batch_id bigint not null default 0,
  component_id bigint,
  host_depth bigint,
  enumeration_depth bigint,
  change_log_batch_id bigint,
  delete_reason bigint,
  cached_blob blob,
  error_id bigint,
  error_level bigint
);
create index crawl_queue_free on crawl_queue (crawl_id, seq_id) where batch_id = 0;
create index crawl_queue_taken on crawl_queue (batch_id, component_id, crawl_id) where batch_id <> 0;
create index crawl_queue_by_doc on crawl_queue (doc_id);
