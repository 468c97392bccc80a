-- The texts of crawled documents, for granary.Find: an extension of Granary's own, beside the property store's tables.
create table doc_texts (
  doc_id bigint not null primary key,
  url text not null,
  title text not null,
  body text not null,
  indexed bigint not null
);

-- Words are made by words.ts, so that both engines index the same: what is here only splits them at blanks.
-- only sqlite
create virtual table doc_words using fts5(
  title, properties, body, content = '', contentless_delete = 1, tokenize = 'ascii'
);
create trigger doc_texts_deleted after delete on doc_texts begin
  delete from doc_words where rowid = old.doc_id;
end;
-- end
-- only postgres
create table doc_words (
  doc_id bigint not null primary key references doc_texts on delete cascade,
  words tsvector not null
);
create index doc_words_by_word on doc_words using gin (words);
-- end
