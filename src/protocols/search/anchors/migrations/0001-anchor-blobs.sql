-- Anchor Document Properties Blob (MS-SQLPGAT2 3.1.1.38).
create table anchor_blobs (
  doc_id bigint not null primary key,
  property_tracker_blob blob
);
