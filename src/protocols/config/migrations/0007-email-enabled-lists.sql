-- E-mail-enabled lists (2.2.6.2); the three identifiers are the empty GUID for a distribution list.
create table email_enabled_lists (
  alias_key text primary key,
  alias text not null,
  site_id text not null,
  web_id text not null,
  list_id text not null,
  -- 1 when the alias is marked for deletion.
  deleted bigint not null
);
create index email_enabled_lists_by_list on email_enabled_lists (site_id, web_id, list_id);
-- A list has one alias in use; those marked for deletion wait beside it.
create unique index email_enabled_lists_in_use on email_enabled_lists (site_id, web_id, list_id) where deleted = 0;
create index email_enabled_lists_deleted on email_enabled_lists (alias_key) where deleted = 1;
