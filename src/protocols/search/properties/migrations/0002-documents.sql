-- The documents of a property store: MSSDocProps, MSSDocResults and MSSDocSdIds (MS-SQLPQ2 2.2.5).

-- A property has several values; each is told from the others by ll_val, which is a hash where the value is text.
create table doc_props (
  doc_id bigint not null,
  pid bigint not null,
  ll_val bigint not null,
  str_val text,
  str_val2 text,
  primary key (doc_id, pid, ll_val)
) without rowid;
create index doc_props_by_pid on doc_props (pid, doc_id);

create table doc_results (
  doc_id bigint not null primary key,
  summary_blob_size bigint,
  size bigint,
  last_modified bigint,
  is_document bigint,
  is_picture_url bigint,
  author text,
  title text,
  url text,
  picture_thumbnail_url text,
  content_class text,
  file_extension text,
  tags text,
  property_blob blob,
  site_name text,
  description text,
  popular_social_tags text,
  number_of_members bigint,
  picture_height_and_width bigint,
  display_date bigint
);

create table doc_sd_ids (
  doc_id bigint not null primary key,
  sdid bigint not null,
  type bigint not null,
  has_pluggable_security bigint not null,
  duplicate_hashes blob
);
create index doc_sd_ids_by_sdid on doc_sd_ids (sdid);
