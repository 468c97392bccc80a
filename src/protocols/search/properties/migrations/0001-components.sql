-- Metadata Store Crawl Components (MS-SQLPGAT2 3.1.1.42).
create table metadata_components (
  component_id bigint not null primary key,
  status bigint not null,
  modified_by bigint not null
);
