-- A small schema to begin with. The identifiers 1, 10, 15, 19, 21, 27, 100, 306, 307, 321, 322, 394 and 395 are those that
-- MS-SQLPGAT2 names; the rest is Granary's own choice. All of it is as old as the first of January 2010.

insert into schema_times (one, last_category_change, last_crawled_property_delete, last_crawled_property_add,
  last_managed_property, last_parameter, last_managed_property_delete)
values (1, 1262304000000, 1262304000000, 1262304000000, 1262304000000, 1262304000000, 1262304000000);

insert into crawled_property_categories (propset, name, discover_new_properties, map_to_contents, full_text_queriable,
  retrievable)
values
  ('f29f85e0-4ff9-1068-ab91-08002b27b3d9', 'Document', 1, 1, 0, 0),
  ('b725f130-47ef-101a-a5f1-02608c9eebac', 'Basic', 1, 1, 0, 0),
  ('00130329-0000-0130-c000-000000131346', 'SharePoint', 1, 1, 0, 0),
  ('00110329-0000-0110-c000-000000111146', 'People', 1, 0, 0, 0);

insert into crawled_properties (id, propset, propset_order, name, name_key, variant_type, name_is_enum,
  is_mapped_to_content, last_modified, is_out_of_box)
values
  (1, 'f29f85e0-4ff9-1068-ab91-08002b27b3d9', '08002b27b3d9ab916810f94fe0859ff2', '2', '2', 31, 1, 1, 1262304000000, 1),
  (2, 'f29f85e0-4ff9-1068-ab91-08002b27b3d9', '08002b27b3d9ab916810f94fe0859ff2', '4', '4', 31, 1, 1, 1262304000000, 1),
  (3, 'b725f130-47ef-101a-a5f1-02608c9eebac', '02608c9eebaca5f11a10ef4730f125b7', '14', '14', 64, 1, 0, 1262304000000, 1),
  (4, 'b725f130-47ef-101a-a5f1-02608c9eebac', '02608c9eebaca5f11a10ef4730f125b7', '12', '12', 20, 1, 0, 1262304000000, 1),
  (5, 'b725f130-47ef-101a-a5f1-02608c9eebac', '02608c9eebaca5f11a10ef4730f125b7', '10', '10', 31, 1, 1, 1262304000000, 1),
  (6, '00130329-0000-0130-c000-000000131346', '000000131346c0003001000029031300', 'ows_ContentType', 'ows_contenttype', 31, 0, 1, 1262304000000, 1),
  (7, '00110329-0000-0110-c000-000000111146', '000000111146c0001001000029031100', 'urn:schemas-microsoft-com:sharepoint:portal:profile:PreferredName', 'urn:schemas-microsoft-com:sharepoint:portal:profile:preferredname', 31, 0, 0, 1262304000000, 1),
  (8, '00110329-0000-0110-c000-000000111146', '000000111146c0001001000029031100', 'urn:schemas-microsoft-com:sharepoint:portal:profile:AccountName', 'urn:schemas-microsoft-com:sharepoint:portal:profile:accountname', 31, 0, 0, 1262304000000, 1),
  (9, '00110329-0000-0110-c000-000000111146', '000000111146c0001001000029031100', 'urn:schemas-microsoft-com:sharepoint:portal:profile:FirstName', 'urn:schemas-microsoft-com:sharepoint:portal:profile:firstname', 31, 0, 0, 1262304000000, 1),
  (10, '00110329-0000-0110-c000-000000111146', '000000111146c0001001000029031100', 'urn:schemas-microsoft-com:sharepoint:portal:profile:LastName', 'urn:schemas-microsoft-com:sharepoint:portal:profile:lastname', 31, 0, 0, 1262304000000, 1);

-- Types: 1 text, 2 integer, 4 date and time.
insert into managed_properties (pid, friendly_name, name_key, managed_type, full_text_queriable, retrievable, scoped,
  no_delete, no_map, hidden, has_multiple_values, last_modified)
values
  (1, 'Contents', 'contents', 1, 1, 0, 0, 1, 1, 1, 0, 1262304000000),
  (2, 'Title', 'title', 1, 1, 1, 0, 1, 0, 0, 0, 1262304000000),
  (3, 'Author', 'author', 1, 1, 1, 1, 1, 0, 0, 1, 1262304000000),
  (4, 'LastModifiedTime', 'lastmodifiedtime', 4, 0, 1, 0, 1, 0, 0, 0, 1262304000000),
  (5, 'Size', 'size', 2, 0, 1, 0, 1, 0, 0, 0, 1262304000000),
  (6, 'Path', 'path', 1, 0, 1, 1, 1, 0, 0, 0, 1262304000000),
  (7, 'ContentType', 'contenttype', 1, 1, 1, 1, 0, 0, 0, 0, 1262304000000),
  (10, 'AnchorText', 'anchortext', 1, 1, 0, 0, 1, 1, 1, 1, 1262304000000),
  (15, 'AccountName', 'accountname', 1, 1, 1, 0, 1, 0, 0, 0, 1262304000000),
  (19, 'PreferredName', 'preferredname', 1, 1, 1, 0, 1, 0, 0, 0, 1262304000000),
  (21, 'FirstName', 'firstname', 1, 1, 1, 0, 1, 0, 0, 0, 1262304000000),
  (27, 'LastName', 'lastname', 1, 1, 1, 0, 1, 0, 0, 0, 1262304000000),
  (100, 'QueryText', 'querytext', 1, 1, 0, 0, 1, 1, 1, 1, 1262304000000),
  (306, 'Clicks', 'clicks', 2, 0, 0, 0, 1, 1, 1, 0, 1262304000000),
  (307, 'Skips', 'skips', 2, 0, 0, 0, 1, 1, 1, 0, 1262304000000),
  (321, 'FirstSeen', 'firstseen', 4, 0, 0, 0, 1, 1, 1, 0, 1262304000000),
  (322, 'LastChanged', 'lastchanged', 4, 0, 0, 0, 1, 1, 1, 0, 1262304000000),
  (394, 'Colleagues', 'colleagues', 1, 0, 0, 0, 1, 1, 1, 1, 1262304000000),
  (395, 'PrivateColleagues', 'privatecolleagues', 1, 0, 0, 0, 1, 1, 1, 1, 1262304000000);

update managed_properties set mapped = 1 where name_key = 'path';

insert into property_mappings (pid, crawled_property_id, mapping_order, last_modified)
values
  (2, 1, 1, 1262304000000),
  (3, 2, 1, 1262304000000),
  (4, 3, 1, 1262304000000),
  (5, 4, 1, 1262304000000),
  (6, 5, 1, 1262304000000),
  (7, 6, 1, 1262304000000),
  (19, 7, 1, 1262304000000),
  (15, 8, 1, 1262304000000),
  (21, 9, 1, 1262304000000),
  (27, 10, 1, 1262304000000);

insert into schema_parameters (name_key, name, is_string, string_value, float_value)
values ('k1', 'k1', 0, null, 5), ('schemaname', 'SchemaName', 1, 'Default', null);
