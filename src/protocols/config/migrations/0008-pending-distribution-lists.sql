-- Pending distribution lists (2.2.6.3), one a permission level.
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
