-- Social Distance Property (MS-SQLPGAT2 3.1.1.11).
create table social_distance (
  source_doc_id bigint not null,
  target_user_id bigint not null,
  source_user_id bigint,
  target_doc_id bigint,
  pid bigint not null,
  primary key (source_doc_id, target_user_id)
);
create index social_distance_by_target on social_distance (target_doc_id);
create index social_distance_by_user on social_distance (target_user_id);

-- Social Distance Deleted (3.1.1.12), New (3.1.1.13) and Unchanged Property (3.1.1.43).
create table social_deleted (
  crawl_id bigint not null,
  source_doc_id bigint not null,
  target_user_id bigint not null,
  primary key (crawl_id, source_doc_id, target_user_id)
);
create table social_new (
  crawl_id bigint not null,
  source_doc_id bigint not null,
  target_user_id bigint not null,
  primary key (crawl_id, source_doc_id, target_user_id)
);
create table social_unchanged (
  crawl_id bigint not null,
  source_doc_id bigint not null,
  target_user_id bigint not null,
  primary key (crawl_id, source_doc_id, target_user_id)
);

-- UserID DocID Pair (3.1.1.24).
create table user_documents (
  user_id bigint not null primary key,
  doc_id bigint not null
);
create index user_documents_by_doc on user_documents (doc_id);
