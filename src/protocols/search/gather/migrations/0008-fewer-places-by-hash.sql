-- Entries by hash are all over their index, and every one of them writes a page: a large crawl store has as few as it can do with.
-- Most documents have one hash for all their URLs; those by display hash are only the ones that the index by access hash lacks.
drop index crawl_history_by_display;
create index crawl_history_by_display on crawl_history (display_hash) where display_hash is distinct from access_hash;

-- Only anchors that lead nowhere yet are looked up by their link.
drop index anchor_text_by_link;
create index anchor_text_unresolved on anchor_text (link_hash) where target_doc_id is null or target_doc_id = -1;
