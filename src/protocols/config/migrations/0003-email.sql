-- E-mail-enabled lists (2.2.6.2) and pending distribution lists (2.2.6.3).

create table email_enabled_lists (
  alias_key text primary key,
  alias text not null,
  site_id text not null,
  web_id text not null,
  list_id text not null,
  deleted bigint not null default 0
);
create index email_enabled_lists_by_list on email_enabled_lists (site_id, web_id, list_id);
-- A list has one alias in use; those marked for deletion wait beside it.
create unique index email_enabled_lists_in_use on email_enabled_lists (site_id, web_id, list_id) where deleted = 0;
create index email_enabled_lists_deleted on email_enabled_lists (alias_key) where deleted = 1;

create table pending_distribution_lists (
  site_id text not null,
  web_id text not null,
  group_key text not null,
  group_name text not null,
  modified_by text not null,
  version bigint not null,
  primary key (site_id, web_id, group_key)
);
create unique index pending_distribution_lists_by_version on pending_distribution_lists (version);
