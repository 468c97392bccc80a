-- only postgres
-- A commit writes a document anew. Where its page has room for that, none of the indexes gets another entry.
alter table crawl_history set (fillfactor = 45);
-- end
