-- Annotations (MS-SQLPGAT2 3.1.1.37) and those that wait for an anchor crawl (3.1.1.9), which clients fill.
create table annotations (
  id integer primary key autoincrement,
  target_doc_id bigint not null,
  pid bigint not null,
  annotation_text text,
  update_time bigint not null,
  lcid bigint not null,
  annotation_numeric bigint not null
);
create index annotations_by_target on annotations (target_doc_id, pid);

create table annotations_pending (
  id integer primary key autoincrement,
  target_display_url text not null,
  target_display_hash bigint not null,
  target_doc_id bigint,
  annotation_text text,
  annotation_numeric bigint not null,
  pid bigint not null,
  lcid bigint not null,
  update_time bigint not null
);
create index annotations_pending_by_url on annotations_pending (target_display_hash, target_display_url);
create index annotations_pending_by_target on annotations_pending (target_doc_id);

-- Pending Annotations Status (3.1.1.10): at most one record.
create table annotations_pending_status (
  one bigint not null primary key check (one = 1),
  obsolete_time bigint,
  last_update_time bigint,
  last_full_update_time bigint,
  -- 1 import done, 2 full import done, 3 pending annotations are processed.
  status bigint not null
);
