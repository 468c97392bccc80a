-- Component Activity (MS-SQLPGAT2 3.1.1.35). DPR are the reasons to pause that are wanted, CPR those that hold now.
create table component_activity (
  component_name text not null,
  component_key text not null,
  project_name text not null,
  project_key text not null,
  have_reset_request bigint not null default 0,
  dpr_master_merge bigint not null default 0,
  dpr_crawls bigint not null default 0,
  cpr_master_merge bigint not null default 0,
  cpr_crawls bigint not null default 0,
  component_type bigint,
  component_id bigint,
  primary key (component_key, project_key)
);
create index component_activity_by_project on component_activity (project_key);
create index component_activity_reset on component_activity (have_reset_request) where have_reset_request = 1;
