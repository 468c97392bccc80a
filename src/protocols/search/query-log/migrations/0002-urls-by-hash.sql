-- only postgres
-- A row of a btree has room for 2,704 bytes, which a URL of 1,024 characters may exceed.
drop index raw_query_log_by_url;
create index raw_query_log_by_url on raw_query_log using hash (url);
-- end
