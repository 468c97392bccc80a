-- References to site collections. A reference with a deletion time is marked for deletion (hidden), else it is live.
create table site_map (
  id text not null,
  database_id text not null,
  application_id text not null,
  subscription_id text,
  path text not null,
  -- The path folded: what equals and begins alike.
  path_key text not null,
  -- Sorts by path as the collation does, then by identifier (site-map/path-order.ts).
  path_order text not null,
  -- Sorts as SQL Server sorts identifiers (site-map/identifier-order.ts).
  id_order text not null,
  pairing bigint not null,
  redirect_url text,
  host_header_is_site_name bigint not null,
  -- The kinds of @CollectionType: 1 where redirect_url says something, 1 where pairing is 1.
  redirects bigint not null,
  upgraded bigint not null,
  deletion_time bigint,
  primary key (id, database_id)
);

-- A live site collection has one reference; a path is taken once a Web application, a host name once in the farm.
create unique index site_map_live on site_map (id_order) where deletion_time is null;
create unique index site_map_live_path on site_map (application_id, path_key)
  where deletion_time is null and host_header_is_site_name = 0;
create unique index site_map_live_host on site_map (path_key)
  where deletion_time is null and host_header_is_site_name = 1;

-- Path order and identifier order, in the farm, a Web application and a content database.
create index site_map_path on site_map (path_order) where deletion_time is null;
create index site_map_path_in_application on site_map (application_id, path_order) where deletion_time is null;
create index site_map_path_in_database on site_map (database_id, path_order) where deletion_time is null;
-- By identifier they hold all that a page asks for: its rows lie together here, and scattered in the table.
create index site_map_id on site_map (id_order, id, path, redirects, deletion_time) where deletion_time is null;
create index site_map_id_in_application on site_map (application_id, id_order, id, path, redirects, deletion_time)
  where deletion_time is null;
create index site_map_id_in_database on site_map (database_id, id_order, id, path, redirects, deletion_time)
  where deletion_time is null;

-- The same for the two kinds that are rare, so that a page of them is not searched for among all others.
create index site_map_redirecting_path on site_map (path_order) where deletion_time is null and redirects = 1;
create index site_map_redirecting_path_in_application on site_map (application_id, path_order)
  where deletion_time is null and redirects = 1;
create index site_map_redirecting_path_in_database on site_map (database_id, path_order)
  where deletion_time is null and redirects = 1;
create index site_map_redirecting_id on site_map (id_order) where deletion_time is null and redirects = 1;
create index site_map_redirecting_id_in_application on site_map (application_id, id_order)
  where deletion_time is null and redirects = 1;
create index site_map_redirecting_id_in_database on site_map (database_id, id_order)
  where deletion_time is null and redirects = 1;
create index site_map_upgraded_path on site_map (path_order) where deletion_time is null and upgraded = 1;
create index site_map_upgraded_path_in_application on site_map (application_id, path_order)
  where deletion_time is null and upgraded = 1;
create index site_map_upgraded_path_in_database on site_map (database_id, path_order)
  where deletion_time is null and upgraded = 1;
create index site_map_upgraded_id on site_map (id_order) where deletion_time is null and upgraded = 1;
create index site_map_upgraded_id_in_application on site_map (application_id, id_order)
  where deletion_time is null and upgraded = 1;
create index site_map_upgraded_id_in_database on site_map (database_id, id_order)
  where deletion_time is null and upgraded = 1;

create index site_map_subscription on site_map (subscription_id)
  where deletion_time is null and subscription_id is not null;
create index site_map_subscription_in_application on site_map (application_id, subscription_id)
  where deletion_time is null and subscription_id is not null;
create index site_map_subscription_in_database on site_map (database_id, subscription_id)
  where deletion_time is null and subscription_id is not null;

create index site_map_deleted_path on site_map (application_id, path_key) where deletion_time is not null;
create index site_map_deleted_time on site_map (application_id, deletion_time) where deletion_time is not null;

-- How many live references each content database has in each Web application (nearly always in one).
create table site_containers (
  database_id text not null,
  application_id text not null,
  sites bigint not null,
  primary key (database_id, application_id)
);
create index site_containers_by_application on site_containers (application_id);

-- Order statistics of the live references: how many lie in a stretch of an order, from `low` to the next row's `low`.
-- Level 0 cuts an order in stretches of at most 1024 references, level 1 in stretches of level-0 rows, so a position
-- is found, and counted, by reading a few hundred rows at any size (site-map/ranks/).
create table site_ranks (
  tree text not null,
  level bigint not null,
  low text not null,
  sites bigint not null,
  redirecting bigint not null,
  upgraded bigint not null,
  primary key (tree, level, low)
) without rowid;
