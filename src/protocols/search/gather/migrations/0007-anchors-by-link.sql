-- Thousands of links may come from one source (start addresses do): an anchor is found among them by its link too.
drop index anchor_text_by_source;
create index anchor_text_by_source on anchor_text (source_doc_id, link_ordinal, link_hash);
