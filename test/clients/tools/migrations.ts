import type { Tool } from './asked.ts';

/** Flyway: whom it talks to, its lock, and what a schema holds. */
export const flyway: Tool = {
  name: 'Flyway',
  asks: [
    ["SELECT CAST(SERVERPROPERTY('edition') AS VARCHAR) AS e", 'e', 1],
    ["SELECT SERVERPROPERTY('engineedition') AS e, SERVERPROPERTY('servername') AS s", 'e s', 1],
    [
      "DECLARE @ANSI_NULLS VARCHAR(3) = 'OFF';\nIF ((32 & @@OPTIONS) = 32) SET @ANSI_NULLS = 'ON';\nSELECT @ANSI_NULLS AS ANSI_NULLS;",
      'ANSI_NULLS',
      { ANSI_NULLS: 'ON' },
    ],
    ["SELECT name FROM sys.databases WHERE name = 'RDSAdmin'", 'name', 0],
    ['SELECT SUSER_SNAME() AS u', 'u', { u: 'sa' }],
    ["SELECT COUNT(*) AS n FROM INFORMATION_SCHEMA.SCHEMATA WHERE SCHEMA_NAME='dbo'", 'n', { n: 1 }],
    [
      `SELECT CAST(CASE WHEN EXISTS(SELECT 1 FROM [SharePoint_Config].INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA='dbo' AND TABLE_NAME='flyway_schema_history') THEN 1 ELSE 0 END AS BIT) AS b`,
      'b',
      { b: false },
    ],
    [
      "DECLARE @r int; EXEC @r = sp_getapplock @Resource = 'flyway', @LockTimeout='3600000', @LockMode = 'Exclusive', @LockOwner = 'Session'; SELECT @r AS r",
      'r',
      { r: 0 },
    ],
    [
      "DECLARE @r int; EXEC @r = sp_releaseapplock @Resource = 'flyway', @LockOwner = 'Session'; SELECT @r AS r",
      'r',
      { r: 0 },
    ],
    [
      `SELECT t.name as type_name, s.name as schema_name FROM sys.types t INNER JOIN sys.schemas s ON t.schema_id = s.schema_id WHERE t.is_user_defined = 1 AND s.name IN ('dbo')`,
      'type_name schema_name',
      0,
    ],
    ['SELECT name FROM sys.partition_schemes', 'name', 0],
    ['SELECT name, clr_name FROM sys.assemblies WHERE is_user_defined=1', 'name clr_name', 0],
    ['SELECT name FROM sys.partition_functions', 'name', 0],
    [
      `SELECT * FROM ((SELECT s.name FROM sys.schemas s INNER JOIN sys.sysusers u ON u.uid = s.principal_id WHERE u.issqluser = 1 AND u.name NOT IN ('sys', 'guest', 'INFORMATION_SCHEMA'))
       UNION (SELECT s.name FROM sys.schemas s INNER JOIN sys.sysusers u ON u.uid = s.schema_id WHERE u.islogin = 1 AND u.name NOT IN ('sys', 'guest', 'INFORMATION_SCHEMA'))
       UNION (SELECT DISTINCT s.name FROM sys.schemas s INNER JOIN sys.objects o ON o.schema_id = s.schema_id WHERE o.is_ms_shipped = 0)) x`,
      'name',
      { name: 'dbo' },
    ],
    [
      `SELECT count(*) AS n FROM (SELECT t.name FROM sys.types t INNER JOIN sys.schemas s ON t.schema_id = s.schema_id WHERE t.is_user_defined = 1 AND s.name = 'dbo'
       Union SELECT name FROM sys.assemblies WHERE is_user_defined=1) R`,
      'n',
      { n: 0 },
    ],
    [
      `SELECT obj.object_id, obj.name FROM sys.objects AS obj WITH (NOLOCK) LEFT JOIN sys.extended_properties AS eps WITH (NOLOCK) ON obj.object_id = eps.major_id
       AND eps.class = 1 AND eps.minor_id = 0 AND eps.name='microsoft_database_tools_support'
       WHERE SCHEMA_NAME(obj.schema_id) = 'dbo' AND eps.major_id IS NULL AND obj.is_ms_shipped = 0 AND obj.type IN ('U')`,
      'object_id name',
      { name: 'Objects' },
    ],
    ["SELECT name FROM sys.computed_columns WHERE object_id=OBJECT_ID(N'[dbo].[Objects]')", 'name', 0],
    [
      "SELECT name FROM sys.indexes WHERE object_id=OBJECT_ID(N'[dbo].[Objects]') AND is_primary_key = 0 AND is_unique_constraint = 0 AND name IS NOT NULL",
      'name',
    ],
    ["SELECT name FROM sys.triggers WHERE is_ms_shipped=0 AND parent_id=0 AND parent_class_desc='DATABASE'", 'name', 0],
    [
      "SELECT name AS queue_name, object_id AS queue_id FROM sys.service_queues WHERE schema_id = schema_id('dbo') AND is_ms_shipped = 0;",
      'queue_name queue_id',
      0,
    ],
    ["SELECT name FROM sys.xml_schema_collections WHERE schema_id = SCHEMA_ID('dbo')", 'name', 0],
    [
      "SELECT temporal_type FROM sys.tables WHERE object_id = OBJECT_ID('Objects', 'U')",
      'temporal_type',
      { temporal_type: 0 },
    ],
  ],
};

/** Liquibase: its snapshot of a database. */
export const liquibase: Tool = {
  name: 'Liquibase',
  asks: [
    ['select schema_name() as s', 's', { s: 'dbo' }],
    [
      "SELECT CONVERT([sysname], DATABASEPROPERTYEX(N'SharePoint_Config', 'Collation')) AS c",
      'c',
      { c: 'Latin1_General_CI_AS_KS_WS' },
    ],
    ["SELECT CONVERT([sysname], SERVERPROPERTY('Collation')) AS c, SERVERPROPERTY('IsClustered') AS k", 'c k', 1],
    [
      `SELECT original_db_name() AS TABLE_CAT, object_schema_name(i.object_id) as TABLE_SCHEM, object_name(i.object_id) as TABLE_NAME, CASE is_unique WHEN 1 then 0 else 1 end as NON_UNIQUE,
         object_name(i.object_id) as INDEX_QUALIFIER, i.name as INDEX_NAME, case i.type when 1 then 1 ELSE 3 end as TYPE, key_ordinal as ORDINAL_POSITION, COL_NAME(c.object_id,c.column_id) AS COLUMN_NAME,
         case is_descending_key when 0 then 'A' else 'D' end as ASC_OR_DESC, c.is_included_column as IS_INCLUDED, i.filter_definition as FILTER_CONDITION, o.type as INTERNAL_OBJECT_TYPE, i.is_unique_constraint
       FROM sys.indexes i join sys.index_columns c on i.object_id=c.object_id and i.index_id=c.index_id join sys.stats s on i.object_id=s.object_id and i.name=s.name
       join sys.objects o on i.object_id=o.object_id WHERE object_schema_name(i.object_id)='dbo'`,
      'TABLE_CAT TABLE_SCHEM TABLE_NAME NON_UNIQUE INDEX_QUALIFIER INDEX_NAME TYPE ORDINAL_POSITION COLUMN_NAME ASC_OR_DESC IS_INCLUDED FILTER_CONDITION INTERNAL_OBJECT_TYPE is_unique_constraint',
      { TABLE_NAME: 'Objects', NON_UNIQUE: 0, COLUMN_NAME: 'Id', ASC_OR_DESC: 'A' },
    ],
    [
      `SELECT db_name(db_id()) AS TABLE_CAT, object_schema_name(c.object_id, db_id()) AS TABLE_SCHEM, object_name(c.object_id, db_id()) AS TABLE_NAME, c.name AS COLUMN_NAME,
         is_filestream AS IS_FILESTREAM, is_rowguidcol AS IS_ROWGUIDCOL, CASE WHEN c.is_identity = 'true' THEN 'YES' ELSE 'NO' END as IS_AUTOINCREMENT,
         t.name AS TYPE_NAME, dc.name as COLUMN_DEF_NAME, dc.definition as COLUMN_DEF, CASE WHEN c.is_nullable = 'true' THEN 'YES' ELSE 'NO' END AS IS_NULLABLE
       FROM sys.columns c inner join sys.types t on c.user_type_id=t.user_type_id
       left outer join sys.default_constraints dc on dc.parent_column_id = c.column_id AND dc.parent_object_id=c.object_id AND type_desc='DEFAULT_CONSTRAINT'
       WHERE object_schema_name(c.object_id, db_id())='dbo' order by object_schema_name(c.object_id), object_name(c.object_id), c.column_id`,
      'TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME IS_FILESTREAM IS_ROWGUIDCOL IS_AUTOINCREMENT TYPE_NAME COLUMN_DEF_NAME COLUMN_DEF IS_NULLABLE',
      { TABLE_NAME: 'Objects', COLUMN_NAME: 'Id', IS_AUTOINCREMENT: 'NO', IS_NULLABLE: 'NO' },
    ],
    [
      `select convert(sysname,db_name()) AS PKTABLE_CAT, convert(sysname,schema_name(o1.schema_id)) AS PKTABLE_SCHEM, convert(sysname,o1.name) AS PKTABLE_NAME, convert(sysname,c1.name) AS PKCOLUMN_NAME,
         convert(sysname,o2.name) AS FKTABLE_NAME, convert(sysname,c2.name) AS FKCOLUMN_NAME, convert(smallint,k.constraint_column_id) AS KEY_SEQ,
         convert(smallint,case ObjectProperty(f.object_id,'CnstIsUpdateCascade') when 1 then 0 else 3 end) AS UPDATE_RULE, convert(sysname,object_name(f.object_id)) AS FK_NAME, convert(sysname,i.name) AS PK_NAME
       from sys.objects o1, sys.objects o2, sys.columns c1, sys.columns c2, sys.foreign_keys f inner join sys.foreign_key_columns k on (k.constraint_object_id = f.object_id)
       inner join sys.indexes i on (f.referenced_object_id = i.object_id and f.key_index_id = i.index_id)
       where o1.object_id = f.referenced_object_id and o2.object_id = f.parent_object_id and c1.object_id = f.referenced_object_id and c2.object_id = f.parent_object_id
         and c1.column_id = k.referenced_column_id and c2.column_id = k.parent_column_id and object_schema_name(o1.object_id)='dbo' order by 1, 2, 3`,
      'PKTABLE_CAT PKTABLE_SCHEM PKTABLE_NAME PKCOLUMN_NAME FKTABLE_NAME FKCOLUMN_NAME KEY_SEQ UPDATE_RULE FK_NAME PK_NAME',
      0,
    ],
    [
      `select db_name(db_id()) AS TABLE_CAT, convert(sysname,object_schema_name(o.object_id)) AS TABLE_SCHEM, convert(sysname,o.name) AS TABLE_NAME, 'TABLE' AS TABLE_TYPE, CAST(ep.value as varchar(max)) as REMARKS
       from sys.all_objects o left outer join sys.extended_properties ep on ep.name='MS_Description' and major_id=o.object_id and minor_id=0
       where o.type in ('U') and has_perms_by_name(quotename(object_schema_name(o.object_id)) + '.' + quotename(o.name), 'object', 'select') = 1 and charindex(substring(o.type,1,1),'U') <> 0
         and object_schema_name(o.object_id)='dbo' order by 4, 1, 2, 3`,
      'TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS',
      { TABLE_NAME: 'Objects', TABLE_TYPE: 'TABLE' },
    ],
    [
      `SELECT [TC].[CONSTRAINT_NAME], [TC].[TABLE_NAME], [TC].[CONSTRAINT_CATALOG] AS INDEX_CATALOG, [TC].[CONSTRAINT_SCHEMA] AS INDEX_SCHEMA, [IDX].[is_disabled], [IDX].[type_desc]
       FROM [INFORMATION_SCHEMA].[TABLE_CONSTRAINTS] AS [TC] JOIN sys.indexes AS IDX ON IDX.name=[TC].[CONSTRAINT_NAME] AND object_schema_name(object_id)=[TC].[CONSTRAINT_SCHEMA]
       WHERE [TC].[CONSTRAINT_TYPE] = 'UNIQUE' AND [TC].[CONSTRAINT_SCHEMA] = N'dbo'`,
      'CONSTRAINT_NAME TABLE_NAME INDEX_CATALOG INDEX_SCHEMA is_disabled type_desc',
    ],
    [
      `SELECT object_schema_name(object_id) AS schema_name, object_name(object_id) AS table_name, name AS column_name, CAST(seed_value AS bigint) AS start_value, CAST(increment_value AS bigint) AS increment_by
       FROM tempdb.sys.identity_columns WHERE object_name(object_id, 2) = 'ToolOrder'`,
      'schema_name table_name column_name start_value increment_by',
      { column_name: 'Id', start_value: '1', increment_by: '1' },
    ],
    ['select name from [SharePoint_Config].sys.types where is_user_defined=1', 'name', 0],
    [
      "SELECT definition FROM sys.sql_modules WHERE object_id = OBJECT_ID('[dbo].[proc_getObject]') -- a view or a procedure",
      'definition',
      1,
    ],
    ["SELECT COUNT(*) AS n FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'DATABASECHANGELOG'", 'n', { n: 0 }],
  ],
};

/** dbt with dbt-sqlserver: its catalog, and the columns of relations. */
export const dbt: Tool = {
  name: 'dbt (dbt-sqlserver)',
  asks: [
    [
      `with principals as (select name as principal_name, principal_id as principal_id from sys.database_principals with (nolock)),
       schemas as (select name as schema_name, schema_id as schema_id, principal_id as principal_id from sys.schemas with (nolock)),
       tables as (select t.object_id, t.name as table_name, t.schema_id as schema_id, t.principal_id as principal_id, 'BASE TABLE' as table_type, cast(ep.value as nvarchar(max)) as table_comment
         from sys.tables as t with (nolock) left join sys.extended_properties as ep with (nolock) on ep.class = 1 and ep.major_id = t.object_id and ep.minor_id = 0 and ep.name = N'MS_Description'),
       tables_with_metadata as (select object_id, table_name, schema_name, coalesce(tables.principal_id, schemas.principal_id) as owner_principal_id, table_type, table_comment
         from tables join schemas on tables.schema_id = schemas.schema_id),
       cols as (select c.object_id, c.name as column_name, c.column_id as column_index, t.name as column_type from sys.columns as c with (nolock) left join sys.types as t with (nolock) on c.user_type_id = t.user_type_id)
       select DB_NAME() as table_database, tv.schema_name as table_schema, tv.table_name, tv.table_type, tv.table_comment, principal_name as table_owner, cols.column_name, cols.column_index, cols.column_type
       from tables_with_metadata tv join principals on tv.owner_principal_id = principals.principal_id join cols on tv.object_id = cols.object_id
       where (upper(tv.schema_name) = upper('dbo')) order by column_index OPTION (LABEL = 'dbt-sqlserver')`,
      'table_database table_schema table_name table_type table_comment table_owner column_name column_index column_type',
      { table_name: 'Objects', table_owner: 'dbo', column_name: 'Id', column_type: 'uniqueidentifier' },
    ],
    [
      `select c.name collate database_default as column_name, t.name as data_type, case when (t.name in ('nchar', 'nvarchar', 'sysname') and c.max_length <> -1) then c.max_length / 2 else c.max_length end as character_maximum_length,
         c.precision as numeric_precision, c.scale as numeric_scale from sys.columns c with (nolock) inner join sys.types t with (nolock) on c.user_type_id = t.user_type_id
       where c.object_id = object_id('"SharePoint_Config"."dbo"."Objects"') order by c.column_id`,
      'column_name data_type character_maximum_length numeric_precision numeric_scale',
      { column_name: 'Id', data_type: 'uniqueidentifier' },
    ],
    ['select  name as [schema] from sys.schemas with (nolock)', 'schema', { schema: 'dbo' }],
    [
      "select count(*) as schema_exist from sys.schemas with (nolock) where name = 'dbo'",
      'schema_exist',
      { schema_exist: 1 },
    ],
    [
      `with base as (select DB_NAME() as [database], t.name as [name], SCHEMA_NAME(t.schema_id) as [schema], 'table' as table_type from sys.tables as t with (nolock)
       union all select DB_NAME(), v.name, SCHEMA_NAME(v.schema_id), 'view' from sys.views as v with (nolock)) select * from base where [schema] like 'dbo' and [name] like '%Obj%'`,
      'database name schema table_type',
      { name: 'Objects', schema: 'dbo', table_type: 'table' },
    ],
    [
      `select i.name as index_name, i.name + '__dbt_backup' as index_new_name, COL_NAME(ic.object_id, ic.column_id) as column_name from sys.indexes as i inner join sys.index_columns as ic
       on i.object_id = ic.object_id and i.index_id = ic.index_id and i.type <> 5 where i.object_id = OBJECT_ID('dbo.Objects')`,
      'index_name index_new_name column_name',
      { column_name: 'Id' },
    ],
    [
      `select i.[name] as name, substring(column_names, 1, len(column_names)-1) as [columns], case when i.[type] = 1 then 'clustered' when i.type = 2 then 'nonclustered' else 'unknown' end as index_type, is_unique as [unique]
       from sys.objects t inner join sys.indexes i on t.object_id = i.object_id
       cross apply (select col.[name] + ', ' from sys.index_columns ic inner join sys.columns col on ic.object_id = col.object_id and ic.column_id = col.column_id
         where ic.object_id = t.object_id and ic.index_id = i.index_id order by key_ordinal for xml path ('')) D (column_names)
       where t.is_ms_shipped <> 1 and index_id > 0 and t.name = 'Objects'`,
      'name columns index_type unique',
      { columns: 'Id', index_type: 'clustered', unique: true },
    ],
    [
      "exec sp_describe_first_result_set @tsql = N'with a as (select 1 as n) select n from a'",
      `is_hidden column_ordinal name is_nullable system_type_id system_type_name max_length precision scale collation_name
       user_type_id user_type_database user_type_schema user_type_name assembly_qualified_type_name xml_collection_id xml_collection_database xml_collection_schema xml_collection_name
       is_xml_document is_case_sensitive is_fixed_length_clr_type source_server source_database source_schema source_table source_column is_identity_column is_part_of_unique_key is_updateable
       is_computed_column is_sparse_column_set ordinal_in_order_by_list order_by_list_length order_by_is_descending tds_type_id tds_length tds_collation_id tds_collation_sort_id`,
      { name: 'n' },
    ],
    ['select TOP 0 * from (select 1 as a) as __dbt_sbq where 0 = 1', 'a', 0],
  ],
};
