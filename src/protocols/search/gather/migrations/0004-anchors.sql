-- Anchor Text Info (MS-SQLPGAT2 3.1.1.8).
create table anchor_text (
  link_id integer primary key autoincrement,
  source_doc_id bigint,
  target_doc_id bigint,
  link text,
  link_key text,
  link_hash bigint,
  anchor_text text,
  anchor_key text,
  anchor_hash bigint,
  crawl_id bigint not null,
  link_ordinal bigint,
  inter_site bigint,
  lcid bigint,
  pid bigint,
  source_doc_site_id bigint
);
create index anchor_text_by_source on anchor_text (source_doc_id, link_ordinal);
create index anchor_text_by_target on anchor_text (target_doc_id);
create index anchor_text_by_link on anchor_text (link_hash);

-- Anchor Change (3.1.1.14) and Pending Anchor Change (3.1.1.15).
create table anchor_changes (
  crawl_id bigint not null,
  target_doc_id bigint not null,
  change_type bigint not null,
  primary key (crawl_id, target_doc_id)
);
create table pending_anchor_changes (
  crawl_id bigint not null,
  target_doc_id bigint not null,
  primary key (crawl_id, target_doc_id)
);

-- Changed Anchor Target, Source, Committed and Deleted Documents (3.1.1.20 to 3.1.1.23).
create table changed_targets (crawl_id bigint not null, doc_id bigint not null, primary key (crawl_id, doc_id));
create table changed_sources (crawl_id bigint not null, doc_id bigint not null, primary key (crawl_id, doc_id));
create table changed_committed (crawl_id bigint not null, doc_id bigint not null, primary key (crawl_id, doc_id));
create table changed_deleted (crawl_id bigint not null, doc_id bigint not null, primary key (crawl_id, doc_id));
