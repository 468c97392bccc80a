-- The metadata schema, as small as MS-SQLPGAT2 needs it (MS-SQLPADM2 3.1.1.1).

create table crawled_property_categories (
  propset text not null primary key,
  name text not null,
  discover_new_properties bigint not null,
  map_to_contents bigint not null,
  full_text_queriable bigint not null,
  retrievable bigint not null
);

create table crawled_properties (
  id bigint not null primary key,
  propset text not null,
  -- The identifier as SQL Server orders it.
  propset_order text not null,
  name text not null,
  name_key text not null,
  variant_type bigint not null,
  name_is_enum bigint not null,
  is_mapped_to_content bigint not null,
  is_sample_cache_full bigint not null default 0,
  uri text,
  last_modified bigint not null,
  is_out_of_box bigint not null default 0
);
create unique index crawled_properties_by_name on crawled_properties (propset_order, name_key, variant_type);
create index crawled_properties_by_change on crawled_properties (last_modified);

-- How many samples were taken of a crawled property; without a row nobody has counted.
create table crawled_property_samples (
  crawled_property_id bigint not null primary key references crawled_properties (id),
  sample_count bigint not null
);

create table managed_properties (
  pid bigint not null primary key,
  friendly_name text not null,
  name_key text not null unique,
  description text,
  managed_type bigint not null,
  full_text_queriable bigint not null default 0,
  retrievable bigint not null default 0,
  scoped bigint not null default 0,
  respect_priority bigint not null default 0,
  remove_duplicates bigint not null default 0,
  no_delete bigint not null default 0,
  no_map bigint not null default 0,
  hidden bigint not null default 0,
  has_multiple_values bigint not null default 0,
  name_normalized bigint not null default 0,
  include_in_md5 bigint not null default 1,
  -- 1 for a URL that alternate access mappings apply to.
  mapped bigint not null default 0,
  query_independent_rank bigint not null default 0,
  user_flags bigint not null default 0,
  weight double precision not null default 1,
  length_normalization double precision not null default 0,
  last_modified bigint not null,
  max_indexed_string_length bigint not null default 450,
  max_non_indexed_string_length bigint not null default 2048,
  max_retrieval_length bigint not null default 100,
  decimal_places bigint not null default 0,
  is_in_doc_props bigint not null default 1,
  is_in_property_blob bigint not null default 0,
  is_in_fixed_columns bigint not null default 0,
  override_has_multiple_values bigint not null default 0,
  suppress_string_normalizer bigint not null default 0,
  pronunciation bigint not null default 0,
  query_property_blob bigint not null default 0,
  nickname_expansion bigint not null default 0,
  is_qir_customization_allowed bigint not null default 0,
  default_for_qir bigint not null default 0,
  split_string_characters text
);
create index managed_properties_by_change on managed_properties (last_modified);

create table property_mappings (
  pid bigint not null references managed_properties (pid),
  crawled_property_id bigint not null references crawled_properties (id),
  mapping_order bigint not null,
  last_modified bigint not null,
  primary key (pid, crawled_property_id)
);
create index property_mappings_by_crawled_property on property_mappings (crawled_property_id, pid);
create index property_mappings_by_change on property_mappings (last_modified);

create table schema_parameters (
  name_key text not null primary key,
  name text not null,
  is_string bigint not null,
  string_value text,
  float_value double precision
);

-- When each part of the schema last changed (3.1.5.53.1).
create table schema_times (
  one bigint not null primary key check (one = 1),
  last_category_change bigint not null,
  last_crawled_property_delete bigint not null,
  last_crawled_property_add bigint not null,
  last_managed_property bigint not null,
  last_parameter bigint not null,
  last_managed_property_delete bigint not null
);
