-- NULL is equal to nothing: anchors without a source were added again by every crawl that brought their link.
delete from anchor_text where source_doc_id is null and link_id not in (
  select min(link_id) from anchor_text where source_doc_id is null
  group by link_ordinal, link_hash, coalesce(link_key, ''), coalesce(target_doc_id, -1));
update anchor_text set source_doc_id = -1 where source_doc_id is null;
