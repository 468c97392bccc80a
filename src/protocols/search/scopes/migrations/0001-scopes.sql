-- Search scopes, as small as their compilation needs them (MS-SQLPADM2), and the sets of MS-SQLPGAT2 3.1.1.29 to 3.1.1.34.

create table scope_consumers (
  id bigint not null primary key,
  name text not null,
  last_update bigint not null default 0
);

create table scopes (
  id bigint not null primary key,
  consumer_id bigint not null references scope_consumers (id),
  name text not null,
  name_key text not null,
  -- 4 is compiled.
  compilation_state bigint not null,
  last_change_id bigint not null
);
create unique index scopes_by_name on scopes (consumer_id, name_key);
create index scopes_by_change on scopes (last_change_id);

create table scope_rules (
  id bigint not null primary key,
  scope_id bigint not null references scopes (id),
  filter_behavior bigint not null,
  rule_type bigint not null,
  url_rule_type bigint,
  property_id bigint,
  user_value text
);
create index scope_rules_by_scope on scope_rules (scope_id);

create table deleted_scopes (
  scope_id bigint not null primary key,
  change_id bigint not null
);

-- A compilation is in progress while compilation_change_id is above last_compilation_id.
create table scopes_system (
  one bigint not null primary key check (one = 1),
  last_change_id bigint not null,
  last_compilation_id bigint not null,
  compilation_change_id bigint not null,
  last_consumer_change_id bigint not null,
  last_compilation_time bigint,
  next_compilation_time bigint
);

create table scopes_to_compile (
  scope_id bigint not null primary key,
  consumer_id bigint not null,
  name text not null,
  compilation_state bigint not null
);

create table scope_rules_to_compile (
  id bigint not null primary key,
  scope_id bigint not null,
  filter_behavior bigint not null,
  rule_type bigint not null,
  url_rule_type bigint,
  property_id bigint,
  user_value text
);

create table deleted_scopes_to_compile (
  scope_id bigint not null primary key
);

create table compiled_scopes (
  scope_id bigint not null primary key,
  consumer_id bigint not null,
  name text not null,
  compilation_state bigint not null
);

create table compiled_scope_rules (
  id bigint not null primary key,
  scope_id bigint not null,
  filter_behavior bigint not null,
  rule_type bigint not null,
  url_rule_type bigint,
  property_id bigint,
  user_value text
);
create index compiled_scope_rules_by_scope on compiled_scope_rules (scope_id);

-- One consumer, and its default scope without rules: everything. It waits for the first compilation.
insert into scope_consumers (id, name) values (1, 'default');
insert into scopes (id, consumer_id, name, name_key, compilation_state, last_change_id)
values (1, 1, 'All Sites', 'all sites', 0, 1);
insert into scopes_system (one, last_change_id, last_compilation_id, compilation_change_id, last_consumer_change_id)
values (1, 1, 0, 0, 0);
