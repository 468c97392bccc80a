-- Definitions (MS-SQLPGAT2 3.1.1.40): terms that documents define.
create table definitions (
  doc_id bigint not null,
  term_key text not null,
  term text,
  sentence text,
  -- Where the term stands in the sentence.
  term_offset bigint not null,
  is_acronym bigint not null,
  primary key (doc_id, term_key)
);
