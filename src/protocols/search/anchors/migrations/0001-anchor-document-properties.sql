-- Anchor Document Properties Blob (MS-SQLPGAT2 3.1.1.38).
create table anchor_doc_props (
  doc_id bigint not null primary key,
  property_tracker_blob blob not null
);
