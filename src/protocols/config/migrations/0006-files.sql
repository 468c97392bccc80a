-- Files, cut in chunks of equal size: chunk n begins at byte n * 262144 (see files/chunks.ts).
create table files (
  object_id text primary key,
  length bigint not null
);

create table file_chunks (
  object_id text not null,
  chunk bigint not null,
  bytes blob not null,
  primary key (object_id, chunk)
);
