-- URLs of pending annotations are compared as those of documents are: by the fold of their text. What is there is plain
-- URLs, whose fold is their lower case.
alter table annotations_pending add column target_display_key text not null default '';
update annotations_pending set target_display_key = lower(target_display_url);
drop index annotations_pending_by_url;
create index annotations_pending_by_url on annotations_pending (target_display_hash, target_display_key);
