-- What OLE DB providers and SqlClient call for their schema rowsets and GetSchema. The columns are those of OLE DB’s rowsets; which of
-- them the procedures add, and their types, are from memory.
go
-- sp_catalogs_rowset, sp_catalogs_rowset2, sp_catalogs_rowset_rmt: Lists the databases for OLE DB.
-- @catalog_name sysname = null: A database; without it, all.
-- returns CATALOG_NAME sysname, DESCRIPTION nvarchar(1)?
select name, null from sys.databases where @catalog_name is null or name = @catalog_name order by name
go
-- sp_schemata_rowset: Lists the schemas of the database for OLE DB.
-- @schema_name sysname = null: A schema; without it, all.
-- @schema_owner sysname = null: Its owner.
-- returns CATALOG_NAME sysname, SCHEMA_NAME sysname, SCHEMA_OWNER sysname?, DEFAULT_CHARACTER_SET_CATALOG sysname?,
--   DEFAULT_CHARACTER_SET_SCHEMA sysname?, DEFAULT_CHARACTER_SET_NAME sysname?
select * from INFORMATION_SCHEMA.SCHEMATA where (@schema_name is null or SCHEMA_NAME = @schema_name)
  and (@schema_owner is null or SCHEMA_OWNER = @schema_owner) order by SCHEMA_NAME
go
-- sp_tables_rowset, sp_tables_rowset2, sp_tables_rowset_64, sp_tables_rowset_rmt: Lists tables and views for OLE DB.
-- @table_name sysname = null: A table; without it, all.
-- @table_schema sysname = null: Its schema.
-- @table_type nvarchar(255) = null: TABLE, VIEW, SYSTEM TABLE or SYSTEM VIEW.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, TABLE_TYPE nvarchar(12), TABLE_GUID uniqueidentifier?,
--   DESCRIPTION nvarchar(1)?, TABLE_PROPID int?, DATE_CREATED datetime?, DATE_MODIFIED datetime?
select db_name(), s.name, o.name, t.type, null, null, null, o.create_date, null from sys.all_objects o join sys.schemas s on s.schema_id = o.schema_id
cross apply (select case o.type when 'U' then N'TABLE' else case when o.is_ms_shipped = 1 then N'SYSTEM VIEW' else N'VIEW' end end) t(type)
where o.type in ('U', 'V') and (@table_name is null or o.name = @table_name) and (@table_schema is null or s.name = @table_schema)
  and (@table_type is null or t.type = @table_type) order by t.type, s.name, o.name
go
-- sp_tables_info_rowset, sp_tables_info_rowset2, sp_tables_info_90_rowset, sp_tables_info_rowset_64: Lists tables with what OLE DB can do with them.
-- @table_name sysname = null: A table; without it, all.
-- @table_schema sysname = null: Its schema.
-- @table_type nvarchar(255) = null: TABLE or VIEW.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, TABLE_TYPE nvarchar(12), TABLE_GUID uniqueidentifier?, BOOKMARKS bit,
--   BOOKMARK_TYPE int?, BOOKMARK_DATATYPE smallint?, BOOKMARK_MAXIMUM_LENGTH int?, BOOKMARK_INFORMATION int?, TABLE_VERSION bigint?,
--   CARDINALITY bigint?, DESCRIPTION nvarchar(1)?, TABLE_PROPID int?
select db_name(), s.name, o.name, case o.type when 'U' then N'TABLE' else N'VIEW' end, null, 0, null, null, null, null, null,
  (select max(p.rows) from sys.partitions p where p.object_id = o.object_id), null, null
from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
where o.type in ('U', 'V') and (@table_name is null or o.name = @table_name) and (@table_schema is null or s.name = @table_schema)
  and (@table_type is null or @table_type = case o.type when 'U' then N'TABLE' else N'VIEW' end) order by s.name, o.name
go
-- sp_columns_rowset, sp_columns_rowset2, sp_columns_90_rowset, sp_columns_100_rowset, sp_columns_100_rowset2: Lists columns for OLE DB.
-- @table_name sysname = null: A table; without it, all.
-- @table_schema sysname = null: Its schema.
-- @column_name sysname = null: A column; without it, all.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, COLUMN_NAME sysname?, COLUMN_GUID uniqueidentifier?, COLUMN_PROPID int?,
--   ORDINAL_POSITION int, COLUMN_HASDEFAULT bit, COLUMN_DEFAULT nvarchar(4000)?, COLUMN_FLAGS int, IS_NULLABLE bit, DATA_TYPE smallint,
--   TYPE_GUID uniqueidentifier?, CHARACTER_MAXIMUM_LENGTH int?, CHARACTER_OCTET_LENGTH int?, NUMERIC_PRECISION smallint?, NUMERIC_SCALE smallint?,
--   DATETIME_PRECISION int?, CHARACTER_SET_CATALOG sysname?, CHARACTER_SET_SCHEMA sysname?, CHARACTER_SET_NAME sysname?, COLLATION_CATALOG sysname?,
--   COLLATION_SCHEMA sysname?, COLLATION_NAME sysname?, DOMAIN_CATALOG sysname?, DOMAIN_SCHEMA sysname?, DOMAIN_NAME sysname?,
--   DESCRIPTION nvarchar(1)?, COLUMN_LCID int?, COLUMN_COMPFLAGS int?, COLUMN_SORTID int?, COLUMN_TDSCOLLATION binary(5)?, IS_COMPUTED bit
select i.TABLE_CATALOG, i.TABLE_SCHEMA, i.TABLE_NAME, i.COLUMN_NAME, null, null, i.ORDINAL_POSITION,
  case when i.COLUMN_DEFAULT is null then 0 else 1 end, i.COLUMN_DEFAULT,
  4 | case c.is_nullable when 1 then 96 else 0 end | case when c.max_length = -1 then 128 else 0 end
    | case when i.CHARACTER_MAXIMUM_LENGTH is null then 16 else 0 end, c.is_nullable, t.number, null,
  case when i.CHARACTER_MAXIMUM_LENGTH = -1 then 0 else i.CHARACTER_MAXIMUM_LENGTH end,
  case when i.CHARACTER_OCTET_LENGTH = -1 then 0 else i.CHARACTER_OCTET_LENGTH end, i.NUMERIC_PRECISION,
  case when t.number in (131) then i.NUMERIC_SCALE end, i.DATETIME_PRECISION, null, null, i.CHARACTER_SET_NAME, null, null, i.COLLATION_NAME,
  null, null, null, null, case when i.COLLATION_NAME is not null then 1033 end, null, null, null, c.is_computed
from INFORMATION_SCHEMA.COLUMNS i join sys.columns c on c.object_id = object_id(quotename(i.TABLE_SCHEMA) + '.' + quotename(i.TABLE_NAME))
  and c.column_id = i.ORDINAL_POSITION
join (values (127, 20), (56, 3), (52, 2), (48, 17), (104, 11), (106, 131), (108, 131), (60, 6), (122, 6), (62, 5), (59, 4), (61, 135), (58, 135),
  (40, 133), (41, 145), (42, 135), (43, 146), (175, 129), (167, 129), (35, 129), (239, 130), (231, 130), (99, 130), (173, 128), (165, 128),
  (34, 128), (189, 128), (36, 72), (241, 141), (98, 12)) t(id, number) on t.id = c.system_type_id
where (@table_name is null or i.TABLE_NAME = @table_name) and (@table_schema is null or i.TABLE_SCHEMA = @table_schema)
  and (@column_name is null or i.COLUMN_NAME = @column_name) order by i.TABLE_SCHEMA, i.TABLE_NAME, i.ORDINAL_POSITION
go
-- sp_primary_keys_rowset, sp_primary_keys_rowset2, sp_primary_keys_rowset_rmt: Lists the columns of primary keys for OLE DB.
-- @table_name sysname = null: A table; without it, all.
-- @table_schema sysname = null: Its schema.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, COLUMN_NAME sysname?, COLUMN_GUID uniqueidentifier?, COLUMN_PROPID int?,
--   ORDINAL int, PK_NAME sysname
select k.TABLE_CATALOG, k.TABLE_SCHEMA, k.TABLE_NAME, k.COLUMN_NAME, null, null, k.ORDINAL_POSITION, k.CONSTRAINT_NAME
from INFORMATION_SCHEMA.KEY_COLUMN_USAGE k join INFORMATION_SCHEMA.TABLE_CONSTRAINTS c on c.CONSTRAINT_NAME = k.CONSTRAINT_NAME
  and c.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA and c.CONSTRAINT_TYPE = 'PRIMARY KEY'
where (@table_name is null or k.TABLE_NAME = @table_name) and (@table_schema is null or k.TABLE_SCHEMA = @table_schema)
order by k.TABLE_SCHEMA, k.TABLE_NAME, k.ORDINAL_POSITION
go
-- sp_foreign_keys_rowset, sp_foreign_keys_rowset2, sp_foreign_keys_rowset3, sp_foreign_keys_rowset_rmt: Lists the columns of foreign keys for OLE DB.
-- @pk_table_name sysname = null: The table that is referred to.
-- @pk_table_schema sysname = null: Its schema.
-- @foreignkey_tab_name sysname = null: The table that refers.
-- @foreignkey_tab_schema sysname = null: Its schema.
-- @foreignkey_tab_catalog sysname = null: Its database: the current one.
-- returns PK_TABLE_CATALOG sysname, PK_TABLE_SCHEMA sysname?, PK_TABLE_NAME sysname, PK_COLUMN_NAME sysname?, PK_COLUMN_GUID uniqueidentifier?,
--   PK_COLUMN_PROPID int?, FK_TABLE_CATALOG sysname, FK_TABLE_SCHEMA sysname?, FK_TABLE_NAME sysname, FK_COLUMN_NAME sysname?,
--   FK_COLUMN_GUID uniqueidentifier?, FK_COLUMN_PROPID int?, ORDINAL int, UPDATE_RULE nvarchar(11), DELETE_RULE nvarchar(11), PK_NAME sysname?,
--   FK_NAME sysname, DEFERRABILITY smallint
select db_name(), schema_name(r.schema_id), r.name, col_name(r.object_id, c.referenced_column_id), null, null, db_name(), schema_name(t.schema_id),
  t.name, col_name(t.object_id, c.parent_column_id), null, null, c.constraint_column_id, replace(f.update_referential_action_desc, '_', ' '),
  replace(f.delete_referential_action_desc, '_', ' '), k.name, f.name, 3
from sys.foreign_keys f join sys.foreign_key_columns c on c.constraint_object_id = f.object_id
join sys.tables t on t.object_id = f.parent_object_id join sys.tables r on r.object_id = f.referenced_object_id
left join sys.indexes k on k.object_id = r.object_id and k.index_id = f.key_index_id
where (@pk_table_name is null or r.name = @pk_table_name) and (@pk_table_schema is null or schema_name(r.schema_id) = @pk_table_schema)
  and (@foreignkey_tab_name is null or t.name = @foreignkey_tab_name)
  and (@foreignkey_tab_schema is null or schema_name(t.schema_id) = @foreignkey_tab_schema) order by f.name, c.constraint_column_id
go
-- sp_indexes_rowset, sp_indexes_rowset2, sp_indexes_90_rowset, sp_indexes_100_rowset: Lists the columns of indexes for OLE DB.
-- @table_name sysname = null: A table; without it, all.
-- @index_name sysname = null: An index; without it, all.
-- @table_schema sysname = null: The schema of the table.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, INDEX_CATALOG sysname, INDEX_SCHEMA sysname?, INDEX_NAME sysname?,
--   PRIMARY_KEY bit, UNIQUE bit, CLUSTERED bit, TYPE smallint, FILL_FACTOR int?, INITIAL_SIZE int?, NULLS int?, SORT_BOOKMARKS bit, AUTO_UPDATE bit,
--   NULL_COLLATION int, ORDINAL_POSITION int, COLUMN_NAME sysname?, COLUMN_GUID uniqueidentifier?, COLUMN_PROPID int?, COLLATION smallint,
--   CARDINALITY bigint?, PAGES int?, FILTER_CONDITION nvarchar(1)?, INTEGRATED bit
select db_name(), schema_name(t.schema_id), t.name, db_name(), schema_name(t.schema_id), i.name, i.is_primary_key, i.is_unique,
  case i.index_id when 1 then 1 else 0 end, 1, i.fill_factor, null, null, 0, 1, 4, c.key_ordinal, col_name(t.object_id, c.column_id), null, null, 1,
  p.rows, null, null, case i.index_id when 1 then 1 else 0 end
from sys.tables t join sys.indexes i on i.object_id = t.object_id join sys.index_columns c on c.object_id = t.object_id and c.index_id = i.index_id
left join sys.partitions p on p.object_id = t.object_id and p.index_id = i.index_id
where (@table_name is null or t.name = @table_name) and (@index_name is null or i.name = @index_name)
  and (@table_schema is null or schema_name(t.schema_id) = @table_schema) order by i.is_unique desc, i.name, c.key_ordinal
go
-- sp_procedures_rowset, sp_procedures_rowset2: Lists procedures for OLE DB.
-- @procedure_name sysname = null: A procedure; without it, all.
-- @group_number int = 1: The number behind its name; ours are all 1.
-- @procedure_schema sysname = null: Its schema.
-- returns PROCEDURE_CATALOG sysname, PROCEDURE_SCHEMA sysname?, PROCEDURE_NAME nvarchar(134), PROCEDURE_TYPE smallint, PROCEDURE_DEFINITION nvarchar(1)?,
--   DESCRIPTION nvarchar(1)?, DATE_CREATED datetime?, DATE_MODIFIED datetime?
select db_name(), schema_name(schema_id), name + N';1', 3, null, null, create_date, null from sys.all_objects
where type = 'P' and (@procedure_name is null or name = @procedure_name) and (@procedure_schema is null or schema_name(schema_id) = @procedure_schema)
order by schema_name(schema_id), name
go
-- sp_views_rowset, sp_views_rowset2: Lists the views of the database for OLE DB.
-- @view_name sysname = null: A view; without it, all.
-- @view_schema sysname = null: Its schema.
-- returns TABLE_CATALOG sysname, TABLE_SCHEMA sysname?, TABLE_NAME sysname, VIEW_DEFINITION nvarchar(1)?, CHECK_OPTION bit, IS_UPDATABLE bit,
--   DESCRIPTION nvarchar(1)?, DATE_CREATED datetime?, DATE_MODIFIED datetime?
select db_name(), schema_name(schema_id), name, null, 0, 0, null, create_date, null from sys.views
where (@view_name is null or name = @view_name) and (@view_schema is null or schema_name(schema_id) = @view_schema)
go
-- sp_provider_types_rowset, sp_provider_types_90_rowset, sp_provider_types_100_rowset: Lists the data types for OLE DB.
-- @data_type smallint = null: A type, by OLE DB’s number; without it, all.
-- @best_match tinyint = null: Whether only the best of those with one number is wanted.
-- returns TYPE_NAME sysname, DATA_TYPE smallint, COLUMN_SIZE int?, LITERAL_PREFIX nvarchar(32)?, LITERAL_SUFFIX nvarchar(32)?, CREATE_PARAMS nvarchar(32)?,
--   IS_NULLABLE bit, CASE_SENSITIVE bit, SEARCHABLE int, UNSIGNED_ATTRIBUTE bit?, FIXED_PREC_SCALE bit, AUTO_UNIQUE_VALUE bit, LOCAL_TYPE_NAME sysname?,
--   MINIMUM_SCALE smallint?, MAXIMUM_SCALE smallint?, GUID uniqueidentifier?, TYPELIB nvarchar(1)?, VERSION nvarchar(1)?, IS_LONG bit, BEST_MATCH bit,
--   IS_FIXEDLENGTH bit
select t.name, n.number, case when t.max_length = -1 then 2147483647 when n.number = 130 then t.max_length / 2 when t.precision > 0 then t.precision else t.max_length end,
  case when n.number = 130 then N'N''' when n.number in (129, 133, 135, 145, 146, 72) then N'''' when n.number = 128 then N'0x' when n.number = 6 then N'$' end,
  case when n.number in (129, 130, 133, 135, 145, 146, 72) then N'''' end,
  case when n.number in (128, 129, 130) and t.name not in ('text', 'ntext', 'image', 'timestamp') then N'max length' when n.number = 131 then N'precision,scale' end,
  t.is_nullable, 0, case when t.name in ('image', 'xml') then 1 when n.number in (129, 130) then 4 else 3 end, case when n.number = 17 then 1 when t.precision > 0 and n.number < 20 then 0 end,
  case n.number when 6 then 1 else 0 end, 0, t.name, case n.number when 131 then 0 end, case n.number when 131 then 38 end, null, null, null,
  case when t.name in ('text', 'ntext', 'image', 'xml') then 1 else 0 end, 1, case when n.number in (128, 129, 130, 141) and t.name not in ('char', 'nchar', 'binary', 'timestamp') then 0 else 1 end
from sys.types t join (values (127, 20), (56, 3), (52, 2), (48, 17), (104, 11), (106, 131), (108, 131), (60, 6), (122, 6), (62, 5), (59, 4), (61, 135), (58, 135),
  (40, 133), (41, 145), (42, 135), (43, 146), (175, 129), (167, 129), (35, 129), (239, 130), (231, 130), (99, 130), (173, 128), (165, 128),
  (34, 128), (189, 128), (36, 72), (241, 141), (98, 12)) n(id, number) on n.id = t.system_type_id
where @data_type is null or n.number = @data_type order by n.number, t.name
go
-- sp_columns_managed: Lists the columns of tables and views as SqlClient’s GetSchema wants them.
-- @Catalog sysname = null: The database: the current one.
-- @Owner sysname = null: The schema.
-- @Table sysname = null: The table.
-- @Column sysname = null: The column.
-- @SchemaType int = 0: 0 for the columns that SELECT * shows, 1 for all, 2 for those of a column set, which no table has.
-- returns TABLE_CATALOG sysname?, TABLE_SCHEMA sysname?, TABLE_NAME sysname?, COLUMN_NAME sysname?, ORDINAL_POSITION int?, COLUMN_DEFAULT nvarchar(4000)?,
--   IS_NULLABLE varchar(3)?, DATA_TYPE sysname?, CHARACTER_MAXIMUM_LENGTH int?, CHARACTER_OCTET_LENGTH int?, NUMERIC_PRECISION tinyint?,
--   NUMERIC_PRECISION_RADIX smallint?, NUMERIC_SCALE int?, DATETIME_PRECISION smallint?, CHARACTER_SET_CATALOG sysname?, CHARACTER_SET_SCHEMA sysname?,
--   CHARACTER_SET_NAME sysname?, COLLATION_CATALOG sysname?, IS_SPARSE bit?, IS_COLUMN_SET bit?, IS_FILESTREAM bit?
select TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH,
  CHARACTER_OCTET_LENGTH, NUMERIC_PRECISION, NUMERIC_PRECISION_RADIX, NUMERIC_SCALE, DATETIME_PRECISION, CHARACTER_SET_CATALOG, CHARACTER_SET_SCHEMA,
  CHARACTER_SET_NAME, COLLATION_CATALOG, 0, 0, 0 from INFORMATION_SCHEMA.COLUMNS
where isnull(@SchemaType, 0) <> 2 and (@Catalog is null or @Catalog = db_name()) and (@Owner is null or TABLE_SCHEMA = @Owner)
  and (@Table is null or TABLE_NAME = @Table) and (@Column is null or COLUMN_NAME = @Column)
go
-- sp_indexes_managed: Lists the indexes of tables as SqlClient’s GetSchema wants them.
-- @Catalog sysname = null: The database: the current one.
-- @Owner sysname = null: The schema.
-- @Table sysname = null: The table.
-- @Name sysname = null: The index.
-- returns constraint_catalog sysname?, constraint_schema sysname?, constraint_name sysname?, table_catalog sysname?, table_schema sysname?,
--   table_name sysname?, index_name sysname?, type_desc nvarchar(60)?
select db_name(), s.name, i.name, db_name(), s.name, t.name, i.name, i.type_desc from sys.tables t join sys.schemas s on s.schema_id = t.schema_id
join sys.indexes i on i.object_id = t.object_id and i.index_id > 0 where (@Catalog is null or @Catalog = db_name()) and (@Owner is null or s.name = @Owner)
  and (@Table is null or t.name = @Table) and (@Name is null or i.name = @Name)
go
-- sp_indexcolumns_managed: Lists the columns of indexes as SqlClient’s GetSchema wants them.
-- @Catalog sysname = null: The database: the current one.
-- @Owner sysname = null: The schema.
-- @Table sysname = null: The table.
-- @ConstraintName sysname = null: The index.
-- @Column sysname = null: The column.
-- returns constraint_catalog sysname?, constraint_schema sysname?, constraint_name sysname?, table_catalog sysname?, table_schema sysname?,
--   table_name sysname?, column_name sysname?, ordinal_position int?, KeyType tinyint?, index_name sysname?
select db_name(), s.name, i.name, db_name(), s.name, t.name, c.name, x.key_ordinal, c.system_type_id, i.name from sys.tables t
join sys.schemas s on s.schema_id = t.schema_id join sys.indexes i on i.object_id = t.object_id
join sys.index_columns x on x.object_id = t.object_id and x.index_id = i.index_id join sys.columns c on c.object_id = t.object_id and c.column_id = x.column_id
where (@Catalog is null or @Catalog = db_name()) and (@Owner is null or s.name = @Owner) and (@Table is null or t.name = @Table)
  and (@ConstraintName is null or i.name = @ConstraintName) and (@Column is null or c.name = @Column)
