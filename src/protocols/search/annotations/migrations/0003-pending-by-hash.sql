-- A row of an index of PostgreSQL has room for 2,704 bytes, which a URL of 1,500 characters may exceed: the hash finds it.
drop index annotations_pending_by_url;
create index annotations_pending_by_url on annotations_pending (target_display_hash);
