-- A client that makes all hashes of a document from one digest has one hash for all its URLs: then the index by access hash is enough,
-- and a document has one entry at random in place of two.
drop index crawl_history_by_compact;
create index crawl_history_by_compact on crawl_history (compact_hash) where compact_hash is distinct from access_hash;

-- only postgres
-- Every link and every commit counts as a change, and a look at 30,000 rows of so many columns takes seconds of a processor: a table that grows
-- evenly needs them seldom.
alter table crawl_history set (autovacuum_analyze_scale_factor = 0.5);
alter table anchor_text set (autovacuum_analyze_scale_factor = 0.5);
-- end
