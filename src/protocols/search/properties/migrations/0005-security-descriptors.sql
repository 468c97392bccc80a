-- Security descriptors; several may share a checksum.
create table security_descriptors (
  sdid bigint not null primary key,
  checksum bigint not null,
  type bigint not null,
  descriptor blob not null
);
create index security_descriptors_by_checksum on security_descriptors (checksum);
