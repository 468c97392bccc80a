-- Component Activity (MS-SQLPGAT2 3.1.1.35): what each component is asked to do in a project, and what it has done of it.
create table component_activity (
  component_name_key text not null,
  project_name_key text not null,
  component_name text not null,
  project_name text not null,
  have_reset_request bigint not null default 0,
  -- Desired and current pause reasons, bit masks of 2.2.2.1.
  dpr_master_merge bigint not null default 0,
  dpr_crawls bigint not null default 0,
  cpr_master_merge bigint not null default 0,
  cpr_crawls bigint not null default 0,
  -- 0 administration, 1 query, 2 crawl, 3 standalone.
  component_type bigint not null,
  component_id bigint,
  primary key (component_name_key, project_name_key)
);
create index component_activity_by_component on component_activity (component_type, component_id);
