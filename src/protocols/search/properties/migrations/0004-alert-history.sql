-- The signatures under which URLs were last seen, kept when their documents go: whether a change is news.
create table alert_history (
  url_signature bigint not null primary key,
  doc_id bigint not null,
  schema_signature bigint not null,
  content_signature bigint not null,
  -- Managed Property Times: when the URL was first seen, and when its content last changed.
  first_time bigint not null,
  change_time bigint not null
);
