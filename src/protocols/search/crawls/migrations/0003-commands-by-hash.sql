-- only postgres
-- A row of a btree has room for 2,704 bytes, which a name of 1,024 characters may exceed.
drop index commands_by_object;
create index commands_by_object on commands using hash (object_key) where completed = 0;
-- end
