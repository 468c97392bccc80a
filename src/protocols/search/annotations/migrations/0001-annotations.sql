-- Pending Annotations (MS-SQLPGAT2 3.1.1.9), which clients fill themselves.
create table pending_annotations (
  id integer primary key autoincrement,
  target_display_url text,
  target_display_key text,
  target_display_hash bigint,
  target_doc_id bigint,
  annotation_text text,
  annotation_numeric bigint,
  pid bigint,
  lcid bigint,
  update_time bigint
);
create index pending_annotations_by_doc on pending_annotations (target_doc_id);

-- Pending Annotations Status (3.1.1.10): one row at most.
create table annotations_status (
  one bigint not null primary key check (one = 1),
  obsolete_time bigint,
  last_update_time bigint,
  last_full_update_time bigint,
  status bigint
);

-- Annotations (3.1.1.37).
create table annotations (
  id integer primary key autoincrement,
  target_doc_id bigint not null,
  pid bigint,
  annotation_text text,
  update_time bigint,
  lcid bigint,
  annotation_numeric bigint
);
create index annotations_by_doc on annotations (target_doc_id);
