-- What became of a result that a page showed (MS-SQLPQ2 3.1.1.4): one row a URL of a page on which somebody clicked.
create table raw_query_log (
  id integer primary key autoincrement,
  url text not null,
  query_string text not null,
  query_lcid bigint not null,
  logged_at bigint not null,
  -- 1 for a URL that was clicked; 0 for one that was passed over for one below it.
  clicked bigint not null,
  -- 1 for the last URL of its page that was clicked.
  clicked_last bigint not null default 0
);
create index raw_query_log_by_time on raw_query_log (logged_at);
create index raw_query_log_by_url on raw_query_log (url, logged_at);
