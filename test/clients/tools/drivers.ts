import type { Tool } from './asked.ts';

/** Microsoft’s JDBC driver: DatabaseMetaData, and what it asks for itself. */
export const jdbc: Tool = {
  name: 'JDBC driver',
  asks: [
    ['SELECT name AS TABLE_CAT FROM sys.databases order by name', 'TABLE_CAT', { TABLE_CAT: 'master' }],
    [
      "select sys.schemas.name 'TABLE_SCHEM', case when sys.schemas.name in ('dbo','guest','INFORMATION_SCHEMA','sys','db_owner') then null else 'SharePoint_Config' end 'TABLE_CATALOG' from sys.schemas order by 2, 1",
      'TABLE_SCHEM TABLE_CATALOG',
      { TABLE_SCHEM: 'dbo' },
    ],
    ["SELECT 'VIEW' 'TABLE_TYPE' UNION SELECT 'TABLE' UNION SELECT 'SYSTEM TABLE'", 'TABLE_TYPE', 3],
    ["select maximum from sys.configurations where name = 'user connections'", 'maximum', { maximum: 32767 }],
    ["sp_configure 'user connections'", 'name minimum maximum config_value run_value', { name: 'user connections' }],
    [
      `DECLARE @temp TABLE(TABLE_QUALIFIER SYSNAME null, TABLE_OWNER SYSNAME null, TABLE_NAME SYSNAME, COLUMN_NAME SYSNAME, DATA_TYPE SMALLINT, TYPE_NAME SYSNAME, PRECISION INT null, LENGTH INT null, SCALE SMALLINT null, RADIX SMALLINT null, NULLABLE SMALLINT,
         REMARKS VARCHAR(254) null, COLUMN_DEF NVARCHAR(4000) null, SQL_DATA_TYPE SMALLINT, SQL_DATETIME_SUB SMALLINT null, CHAR_OCTET_LENGTH INT null, ORDINAL_POSITION INT, IS_NULLABLE VARCHAR(254), SS_IS_SPARSE SMALLINT, SS_IS_COLUMN_SET SMALLINT, SS_IS_COMPUTED SMALLINT,
         SS_IS_IDENTITY SMALLINT, SS_UDT_CATALOG_NAME NVARCHAR(128) null, SS_UDT_SCHEMA_NAME NVARCHAR(128) null, SS_UDT_ASSEMBLY_TYPE_NAME NVARCHAR(max) null, SS_XML_SCHEMACOLLECTION_CATALOG_NAME NVARCHAR(128) null, SS_XML_SCHEMACOLLECTION_SCHEMA_NAME NVARCHAR(128) null,
         SS_XML_SCHEMACOLLECTION_NAME NVARCHAR(128) null, SS_DATA_TYPE TINYINT);
       INSERT INTO @temp EXEC sp_columns_100 N'Objects', N'dbo', N'SharePoint_Config', N'%', 2, 3;
       SELECT TABLE_QUALIFIER AS TABLE_CAT, TABLE_NAME, COLUMN_NAME, CAST(DATA_TYPE AS INT) AS DATA_TYPE, CASE SS_IS_IDENTITY WHEN 0 THEN 'NO' WHEN 1 THEN 'YES' ELSE '' END AS IS_AUTOINCREMENT FROM @temp ORDER BY TABLE_CAT, TABLE_NAME, ORDINAL_POSITION;`,
      'TABLE_CAT TABLE_NAME COLUMN_NAME DATA_TYPE IS_AUTOINCREMENT',
      { COLUMN_NAME: 'Id', DATA_TYPE: -11, IS_AUTOINCREMENT: 'NO' },
    ],
    [
      "{ call sp_tables(N'%', N'dbo', N'SharePoint_Config', N'''TABLE'',''VIEW''') }",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME TABLE_TYPE REMARKS',
      { TABLE_NAME: 'Objects', TABLE_TYPE: 'TABLE' },
    ],
    [
      "{ call sp_pkeys (N'Objects', N'dbo', N'SharePoint_Config')}",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME COLUMN_NAME KEY_SEQ PK_NAME',
      { COLUMN_NAME: 'Id', KEY_SEQ: 1 },
    ],
    [
      "{ call sp_special_columns_100 (N'Objects', N'dbo', N'SharePoint_Config', N'R', N'C', N'O', 3)}",
      'SCOPE COLUMN_NAME DATA_TYPE TYPE_NAME PRECISION LENGTH SCALE PSEUDO_COLUMN',
      { COLUMN_NAME: 'Id' },
    ],
    [
      `DECLARE @temp_sp_statistics TABLE(TABLE_QUALIFIER SYSNAME NULL, TABLE_OWNER SYSNAME NULL, TABLE_NAME SYSNAME NULL, NON_UNIQUE SMALLINT NULL, INDEX_QUALIFIER SYSNAME NULL, INDEX_NAME SYSNAME NULL, TYPE SMALLINT NULL, ORDINAL_POSITION SMALLINT NULL, COLUMN_NAME SYSNAME NULL, ASC_OR_DESC VARCHAR(1) NULL, CARDINALITY INT NULL, PAGES INT NULL, FILTER_CONDITION VARCHAR(128) NULL);
       INSERT INTO @temp_sp_statistics EXEC sp_statistics N'Objects', N'dbo', NULL, N'%', N'N', N'Q';
       SELECT TABLE_QUALIFIER COLLATE DATABASE_DEFAULT AS TABLE_CAT, TABLE_NAME COLLATE DATABASE_DEFAULT AS TABLE_NAME, INDEX_NAME COLLATE DATABASE_DEFAULT AS INDEX_NAME, TYPE, COLUMN_NAME COLLATE DATABASE_DEFAULT AS COLUMN_NAME FROM @temp_sp_statistics
       UNION SELECT db_name() AS TABLE_CAT, t.name COLLATE DATABASE_DEFAULT, i.name COLLATE DATABASE_DEFAULT, 3, c.name COLLATE DATABASE_DEFAULT FROM sys.indexes i INNER JOIN sys.index_columns ic ON i.object_id = ic.object_id AND i.index_id = ic.index_id
         INNER JOIN sys.columns c ON ic.object_id = c.object_id AND ic.column_id = c.column_id INNER JOIN sys.tables t ON i.object_id = t.object_id LEFT JOIN sys.dm_db_partition_stats ps ON ps.object_id = i.object_id AND ps.index_id = i.index_id AND ps.index_id IN (0,1) WHERE i.type_desc = 'CLUSTERED COLUMNSTORE'
       ORDER BY TYPE, INDEX_NAME`,
      'TABLE_CAT TABLE_NAME INDEX_NAME TYPE COLUMN_NAME',
      { COLUMN_NAME: 'Id', TYPE: 1 },
    ],
    [
      `CREATE TABLE #fkeys (PKTABLE_QUALIFIER sysname, PKTABLE_OWNER sysname, PKTABLE_NAME sysname, PKCOLUMN_NAME sysname, FKTABLE_QUALIFIER sysname, FKTABLE_OWNER sysname, FKTABLE_NAME sysname, FKCOLUMN_NAME sysname, KEY_SEQ smallint, UPDATE_RULE smallint, DELETE_RULE smallint, FK_NAME sysname, PK_NAME sysname, DEFERRABILITY smallint);
       INSERT INTO #fkeys EXEC tempdb..sp_fkeys N'ToolOrder', N'dbo', N'tempdb', null, null, null;
       SELECT t.PKTABLE_NAME, t.FKCOLUMN_NAME, CASE s.delete_referential_action WHEN 1 THEN 0 WHEN 0 THEN 3 ELSE s.delete_referential_action END AS DELETE_RULE FROM #fkeys t LEFT JOIN tempdb.sys.foreign_keys s ON t.FK_NAME = s.name COLLATE database_default AND schema_id(t.FKTABLE_OWNER) = s.schema_id;
       DROP TABLE #fkeys`,
      'PKTABLE_NAME FKCOLUMN_NAME DELETE_RULE',
      { PKTABLE_NAME: 'ToolOrder', FKCOLUMN_NAME: 'OrderId', DELETE_RULE: 0 },
    ],
    [
      "{call sp_stored_procedures(N'proc_getObject', N'dbo', N'SharePoint_Config') }",
      'PROCEDURE_QUALIFIER PROCEDURE_OWNER PROCEDURE_NAME NUM_INPUT_PARAMS NUM_OUTPUT_PARAMS NUM_RESULT_SETS REMARKS PROCEDURE_TYPE',
      { PROCEDURE_NAME: 'proc_getObject;1' },
    ],
    [
      "{call sp_table_privileges(N'Objects', N'dbo', N'SharePoint_Config') }",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE',
      { PRIVILEGE: 'SELECT' },
    ],
    [
      'sp_datatype_info_100 @ODBCVer=3',
      'TYPE_NAME DATA_TYPE PRECISION LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS NULLABLE CASE_SENSITIVE SEARCHABLE UNSIGNED_ATTRIBUTE MONEY AUTO_INCREMENT LOCAL_TYPE_NAME MINIMUM_SCALE MAXIMUM_SCALE SQL_DATA_TYPE SQL_DATETIME_SUB NUM_PREC_RADIX INTERVAL_PRECISION USERTYPE',
      { TYPE_NAME: 'datetime2' },
    ],
    [
      "select db_name() as d, {fn concat('a', 'b')} as c, {d '2024-01-31'} as day, {ts '2024-01-31 10:20:30.123'} as moment, {t '10:20:30'} as time, {guid '00000000-0000-0000-0000-000000000001'} as guid",
      'd c day moment time guid',
      { c: 'ab' },
    ],
    ['select @@trancount as n, @@spid as s', 'n s', { n: 0 }],
  ],
};

/** ODBC: catalog functions, and escapes that applications write. */
export const odbc: Tool = {
  name: 'ODBC drivers',
  asks: [
    [
      "exec [sys].sp_tables N'', N'', N'%', NULL, @fUsePattern=1",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME TABLE_TYPE REMARKS',
      { TABLE_QUALIFIER: 'master' },
    ],
    [
      "exec [SharePoint_Config]..sp_columns_100 N'Objects', N'dbo', N'SharePoint_Config', NULL, @ODBCVer=3",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME COLUMN_NAME DATA_TYPE TYPE_NAME PRECISION LENGTH SCALE RADIX NULLABLE REMARKS COLUMN_DEF SQL_DATA_TYPE SQL_DATETIME_SUB CHAR_OCTET_LENGTH ORDINAL_POSITION IS_NULLABLE SS_IS_SPARSE SS_IS_COLUMN_SET SS_IS_COMPUTED SS_IS_IDENTITY SS_UDT_CATALOG_NAME SS_UDT_SCHEMA_NAME SS_UDT_ASSEMBLY_TYPE_NAME SS_XML_SCHEMACOLLECTION_CATALOG_NAME SS_XML_SCHEMACOLLECTION_SCHEMA_NAME SS_XML_SCHEMACOLLECTION_NAME SS_DATA_TYPE',
      { COLUMN_NAME: 'Id' },
    ],
    [
      "exec sp_statistics_100 N'Objects', N'dbo', N'SharePoint_Config', N'%', N'Y', N'E'",
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME NON_UNIQUE INDEX_QUALIFIER INDEX_NAME TYPE SEQ_IN_INDEX COLUMN_NAME COLLATION CARDINALITY PAGES FILTER_CONDITION',
      { COLUMN_NAME: 'Id', NON_UNIQUE: 0 },
    ],
    [
      "select {fn convert(12, SQL_VARCHAR)} as v, {fn curdate()} as d, {fn curtime()} as t, {fn user()} as u, {fn dayofweek(getdate())} as w, {fn char_length('abc')} as l",
      'v d t u w l',
      { v: '12', l: 3 },
    ],
    [
      "select {fn timestampadd(SQL_TSI_DAY, 1, {ts '2024-01-31 00:00:00'})} as a, {fn timestampdiff(SQL_TSI_HOUR, {ts '2024-01-31 00:00:00'}, {ts '2024-01-31 05:00:00'})} as h, {fn extract(YEAR FROM {ts '2024-01-31 00:00:00'})} as y, {fn monthname({d '2024-01-31'})} as m",
      'a h y m',
      { h: 5, y: 2024, m: 'January' },
    ],
    [
      "select {fn left('abc', 2)} as l, {fn mod(7, 3)} as m, {fn truncate(1.57, 1)} as t, {fn pi()} as p, {fn repeat('x', 3)} as r, {fn insert('abcd', 2, 2, 'X')} as i, {fn ascii('A')} as a, {fn bit_length('ab')} as b, {fn octet_length('ab')} as o",
      'l m t p r i a b o',
      { l: 'ab', m: 1, r: 'xxx', i: 'aXd', a: 65, b: 16, o: 2 },
    ],
    [
      'exec sp_datatype_info_100 0, @ODBCVer=3',
      'TYPE_NAME DATA_TYPE PRECISION LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS NULLABLE CASE_SENSITIVE SEARCHABLE UNSIGNED_ATTRIBUTE MONEY AUTO_INCREMENT LOCAL_TYPE_NAME MINIMUM_SCALE MAXIMUM_SCALE SQL_DATA_TYPE SQL_DATETIME_SUB NUM_PREC_RADIX INTERVAL_PRECISION USERTYPE',
      { TYPE_NAME: 'int' },
    ],
    ['exec sp_server_info 18', 'ATTRIBUTE_ID ATTRIBUTE_NAME ATTRIBUTE_VALUE', { ATTRIBUTE_NAME: 'COLLATION_SEQ' }],
  ],
};

/** OLE DB: the schema rowsets that ADO, linked servers and Excel open. */
export const oleDb: Tool = {
  name: 'OLE DB providers',
  asks: [
    ['exec sp_catalogs_rowset', 'CATALOG_NAME DESCRIPTION', { CATALOG_NAME: 'master' }],
    [
      'exec sp_schemata_rowset',
      'CATALOG_NAME SCHEMA_NAME SCHEMA_OWNER DEFAULT_CHARACTER_SET_CATALOG DEFAULT_CHARACTER_SET_SCHEMA DEFAULT_CHARACTER_SET_NAME',
      { SCHEMA_NAME: 'dbo' },
    ],
    [
      "exec sp_tables_rowset N'Objects', N'dbo', null",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE TABLE_GUID DESCRIPTION TABLE_PROPID DATE_CREATED DATE_MODIFIED',
      { TABLE_NAME: 'Objects', TABLE_TYPE: 'TABLE' },
    ],
    [
      "exec sp_tables_info_rowset N'Objects', N'dbo', null",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE TABLE_GUID BOOKMARKS BOOKMARK_TYPE BOOKMARK_DATATYPE BOOKMARK_MAXIMUM_LENGTH BOOKMARK_INFORMATION TABLE_VERSION CARDINALITY DESCRIPTION TABLE_PROPID',
      { TABLE_NAME: 'Objects' },
    ],
    [
      "exec sp_columns_rowset N'Objects', N'dbo', null",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME COLUMN_GUID COLUMN_PROPID ORDINAL_POSITION COLUMN_HASDEFAULT COLUMN_DEFAULT COLUMN_FLAGS IS_NULLABLE DATA_TYPE TYPE_GUID CHARACTER_MAXIMUM_LENGTH CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_SCALE DATETIME_PRECISION CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA CHARACTER_SET_NAME COLLATION_CATALOG COLLATION_SCHEMA COLLATION_NAME DOMAIN_CATALOG DOMAIN_SCHEMA DOMAIN_NAME DESCRIPTION COLUMN_LCID COLUMN_COMPFLAGS COLUMN_SORTID COLUMN_TDSCOLLATION IS_COMPUTED',
      { COLUMN_NAME: 'Id', DATA_TYPE: 72 },
    ],
    [
      "exec sp_primary_keys_rowset N'Objects', N'dbo'",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME COLUMN_GUID COLUMN_PROPID ORDINAL PK_NAME',
      { COLUMN_NAME: 'Id', ORDINAL: 1 },
    ],
    [
      "exec sp_foreign_keys_rowset N'Objects', N'dbo'",
      'PK_TABLE_CATALOG PK_TABLE_SCHEMA PK_TABLE_NAME PK_COLUMN_NAME PK_COLUMN_GUID PK_COLUMN_PROPID FK_TABLE_CATALOG FK_TABLE_SCHEMA FK_TABLE_NAME FK_COLUMN_NAME FK_COLUMN_GUID FK_COLUMN_PROPID ORDINAL UPDATE_RULE DELETE_RULE PK_NAME FK_NAME DEFERRABILITY',
      0,
    ],
    [
      "exec sp_indexes_rowset N'Objects', null, N'dbo'",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME INDEX_CATALOG INDEX_SCHEMA INDEX_NAME PRIMARY_KEY UNIQUE CLUSTERED TYPE FILL_FACTOR INITIAL_SIZE NULLS SORT_BOOKMARKS AUTO_UPDATE NULL_COLLATION ORDINAL_POSITION COLUMN_NAME COLUMN_GUID COLUMN_PROPID COLLATION CARDINALITY PAGES FILTER_CONDITION INTEGRATED',
      { COLUMN_NAME: 'Id', PRIMARY_KEY: true },
    ],
    [
      "exec sp_procedures_rowset N'proc_getObject', null, N'dbo'",
      'PROCEDURE_CATALOG PROCEDURE_SCHEMA PROCEDURE_NAME PROCEDURE_TYPE PROCEDURE_DEFINITION DESCRIPTION DATE_CREATED DATE_MODIFIED',
      { PROCEDURE_NAME: 'proc_getObject;1' },
    ],
    [
      "exec sp_procedure_params_rowset N'proc_getObject', 1, N'dbo', null",
      'PROCEDURE_CATALOG PROCEDURE_SCHEMA PROCEDURE_NAME PARAMETER_NAME ORDINAL_POSITION PARAMETER_TYPE PARAMETER_HASDEFAULT PARAMETER_DEFAULT IS_NULLABLE DATA_TYPE CHARACTER_MAXIMUM_LENGTH CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_SCALE DESCRIPTION TYPE_NAME LOCAL_TYPE_NAME',
      { PARAMETER_NAME: '@RETURN_VALUE' },
    ],
    [
      'exec sp_provider_types_rowset',
      'TYPE_NAME DATA_TYPE COLUMN_SIZE LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS IS_NULLABLE CASE_SENSITIVE SEARCHABLE UNSIGNED_ATTRIBUTE FIXED_PREC_SCALE AUTO_UNIQUE_VALUE LOCAL_TYPE_NAME MINIMUM_SCALE MAXIMUM_SCALE GUID TYPELIB VERSION IS_LONG BEST_MATCH IS_FIXEDLENGTH',
      { TYPE_NAME: 'int' },
    ],
    [
      'exec sp_views_rowset',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME VIEW_DEFINITION CHECK_OPTION IS_UPDATABLE DESCRIPTION DATE_CREATED DATE_MODIFIED',
      0,
    ],
    [
      'exec sp_linkedservers',
      'SRV_NAME SRV_PROVIDERNAME SRV_PRODUCT SRV_DATASOURCE SRV_PROVIDERSTRING SRV_LOCATION SRV_CAT',
      { SRV_PRODUCT: 'SQL Server' },
    ],
    [
      'set fmtonly on select * from dbo.Objects set fmtonly off',
      'Id ParentId ClassId Name Status Version Properties',
      0,
    ],
    // The row version comes along unasked, for who wants to change rows.
    ['set no_browsetable on; select top 0 Id from Objects; set no_browsetable off', 'Id Version', 0],
  ],
};

/** SqlClient of .NET: GetSchema, SqlBulkCopy and SqlDependency. */
export const sqlClient: Tool = {
  name: 'SqlClient',
  asks: [
    [
      'select name as database_name, dbid, crdate as create_date from master..sysdatabases where name = isnull(null, name)',
      'database_name dbid create_date',
      { database_name: 'master', dbid: 1 },
    ],
    [
      'select uid, name as user_name, createdate, updatedate from sysusers where name = coalesce(null, name)',
      'uid user_name createdate updatedate',
      { user_name: 'dbo', uid: 1 },
    ],
    [
      "select TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE from INFORMATION_SCHEMA.TABLES where TABLE_CATALOG = 'SharePoint_Config' or ('SharePoint_Config' is null)",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE',
      { TABLE_NAME: 'Objects' },
    ],
    [
      "exec sys.sp_columns_managed N'SharePoint_Config', N'dbo', N'Objects', null, 0",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION COLUMN_DEFAULT IS_NULLABLE DATA_TYPE CHARACTER_MAXIMUM_LENGTH CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_PRECISION_RADIX NUMERIC_SCALE DATETIME_PRECISION CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA CHARACTER_SET_NAME COLLATION_CATALOG IS_SPARSE IS_COLUMN_SET IS_FILESTREAM',
      { COLUMN_NAME: 'Id', DATA_TYPE: 'uniqueidentifier' },
    ],
    [
      "exec sys.sp_indexes_managed null, N'dbo', N'Objects', null",
      'constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name index_name type_desc',
      { type_desc: 'CLUSTERED' },
    ],
    [
      "exec sys.sp_indexcolumns_managed null, N'dbo', N'Objects', null, null",
      'constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name column_name ordinal_position KeyType index_name',
      { column_name: 'Id' },
    ],
    [
      "select CONSTRAINT_CATALOG, CONSTRAINT_SCHEMA, CONSTRAINT_NAME, TABLE_NAME, CONSTRAINT_TYPE, IS_DEFERRABLE, INITIALLY_DEFERRED from tempdb.INFORMATION_SCHEMA.TABLE_CONSTRAINTS where CONSTRAINT_TYPE = 'FOREIGN KEY'",
      'CONSTRAINT_CATALOG CONSTRAINT_SCHEMA CONSTRAINT_NAME TABLE_NAME CONSTRAINT_TYPE IS_DEFERRABLE INITIALLY_DEFERRED',
      { TABLE_NAME: 'ToolLine' },
    ],
    [
      "select SPECIFIC_CATALOG, SPECIFIC_NAME, ROUTINE_TYPE, CREATED from INFORMATION_SCHEMA.ROUTINES where ROUTINE_NAME = 'proc_getObject' order by SPECIFIC_CATALOG",
      'SPECIFIC_CATALOG SPECIFIC_NAME ROUTINE_TYPE CREATED',
      { ROUTINE_TYPE: 'PROCEDURE' },
    ],
    [
      "select @@trancount; SET FMTONLY ON select * from [Objects] SET FMTONLY OFF exec [SharePoint_Config]..sp_tablecollations_100 N'.[Objects]'",
      'colid name tds_collation collation',
      { colid: 1, name: 'Id' },
    ],
    [
      "select assemblies.name as assembly_name, types.assembly_class as udt_name, ASSEMBLYPROPERTY(assemblies.name, 'VersionMajor') as version_major from sys.assemblies as assemblies join sys.assembly_types as types on assemblies.assembly_id = types.assembly_id",
      'assembly_name udt_name version_major',
    ],
    [
      'select TABLE_CATALOG, TABLE_SCHEMA, TABLE_NAME, CHECK_OPTION, IS_UPDATABLE from INFORMATION_SCHEMA.VIEWS',
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME CHECK_OPTION IS_UPDATABLE',
      0,
    ],
  ],
};

/** sqlcmd, bcp and osql. */
export const sqlcmd: Tool = {
  name: 'sqlcmd',
  asks: [
    ['SET NOCOUNT ON\nSELECT @@SERVERNAME AS s', 's', 1],
    [
      'SET ANSI_NULLS ON SET QUOTED_IDENTIFIER ON SET TEXTSIZE 4096 SELECT @@TEXTSIZE AS v SET TEXTSIZE 2147483647',
      'v',
      { v: 4096 },
    ],
    ['select srvname from master.dbo.sysservers', 'srvname', 1],
    ['select name from sys.databases', 'name', { name: 'master' }],
    ['exec sp_helpsort', 'Server_default_collation', 1],
    [
      "exec sp_helplanguage 'us_english'",
      'langid dateformat datefirst upgrade name alias months shortmonths days lcid msglangid',
      { langid: 0 },
    ],
    ['exec sp_helpserver', 'name network_name status id collation_name connect_timeout query_timeout', { id: '0' }],
    ['dbcc useroptions with no_infomsgs', 'Set_Option Value'],
    ['dbcc tracestatus(-1)', 'TraceFlag Status Global Session', 0],
    ['exec sp_lock', 'spid dbid ObjId IndId Type Resource Mode Status'],
    ['exec sp_udtypes', ''],
    ["exec sp_depends 'proc_getObject'", ''],
    ['exec sp_monitor', 'total_read total_write total_errors connections', 1],
    [
      "select cast(databasepropertyex(db_name(), 'Collation') as sysname) as c, cast(databasepropertyex(db_name(), 'LCID') as int) as l, cast(databasepropertyex(db_name(), 'ComparisonStyle') as int) as s, cast(databasepropertyex(db_name(), 'SQLSortOrder') as int) as o, cast(databasepropertyex(db_name(), 'IsAutoUpdateStatistics') as int) as a, cast(databasepropertyex(db_name(), 'Status') as sysname) as t",
      'c l s o a t',
      { c: 'Latin1_General_CI_AS_KS_WS', l: 1033, s: 1, o: 0, a: 1, t: 'ONLINE' },
    ],
    ['exec sp_helpgroup', 'Group_name Group_id', { Group_name: 'public' }],
    ['exec sp_helpdevice', 'device_name physical_name description status cntrltype size', 0],
    ['exec sp_helpextendedproc', 'name dll', 0],
    ['exec sp_helplinkedsrvlogin', 'Linked_Server Local_Login Is_Self_Mapping Remote_Login', 0],
    ['exec sp_helpremotelogin', ''],
    ['exec sp_help_fulltext_catalogs', 'FULLTEXT_CATALOG_ID NAME PATH STATUS NUMBER_FULLTEXT_TABLES', 0],
    [
      'exec sp_help_fulltext_tables',
      'TABLE_OWNER TABLE_NAME FULLTEXT_KEY_INDEX_NAME FULLTEXT_KEY_COLID FULLTEXT_INDEX_ACTIVE FULLTEXT_CATALOG_NAME',
      0,
    ],
    [
      'exec sp_help_fulltext_columns',
      'TABLE_OWNER TABLE_ID TABLE_NAME FULLTEXT_COLUMN_NAME FULLTEXT_COLID FULLTEXT_BLOBTP_COLNAME FULLTEXT_BLOBTP_COLID FULLTEXT_LANGUAGE',
      0,
    ],
    ['exec sp_MShasdbaccess', 'dbname owner DEFAULT_COMPATIBILITY_LEVEL dbid', { dbname: 'master' }],
  ],
};

/** Power BI and Power Query, from memory: their source is not public. */
export const powerBi: Tool = {
  name: 'Power BI (from memory)',
  asks: [
    ['select @@version as v', 'v', 1],
    [
      "select t.[TABLE_CATALOG], t.[TABLE_SCHEMA], t.[TABLE_NAME], t.[TABLE_TYPE], tv.create_date [CREATED_DATE], tv.modify_date [MODIFIED_DATE], cast(e.value as nvarchar(max)) [DESCRIPTION] from [INFORMATION_SCHEMA].[TABLES] t join sys.schemas s on s.name = t.[TABLE_SCHEMA] join sys.objects tv on tv.name = t.[TABLE_NAME] and tv.schema_id = s.schema_id and tv.parent_object_id = 0 left outer join sys.extended_properties e on tv.object_id = e.major_id and e.minor_id = 0 and e.class = 1 and e.name = 'MS_Description' where 1=1 and 1=1",
      'TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE CREATED_DATE MODIFIED_DATE DESCRIPTION',
      { TABLE_NAME: 'Objects' },
    ],
    [
      'select r.[ROUTINE_SCHEMA], r.[ROUTINE_NAME], r.[ROUTINE_TYPE], p.create_date [CREATED_DATE] from [INFORMATION_SCHEMA].[ROUTINES] r join sys.schemas s on s.name = r.[ROUTINE_SCHEMA] join sys.objects p on p.name = r.[ROUTINE_NAME] and p.schema_id = s.schema_id and p.parent_object_id = 0',
      'ROUTINE_SCHEMA ROUTINE_NAME ROUTINE_TYPE CREATED_DATE',
      { ROUTINE_NAME: 'proc_getObject' },
    ],
    [
      `select [X].[table_schema] [TABLE_SCHEMA], [X].[table_name] [TABLE_NAME], [C].[name] [COLUMN_NAME], cast([C].[column_id] as bigint) [ORDINAL_POSITION], [C].[is_nullable] [IS_NULLABLE],
         case when ([T].[is_user_defined] = 0 and [T].[name] is not null) then [T].[name] when [T].[system_type_id] = 240 or [T].[name] is null then 'udt' else [T2].[name] end [DATA_TYPE],
         case when [C].[system_type_id] in (59, 62) then 2 when [C].[system_type_id] in (48, 52, 56, 60, 104, 106, 108, 122, 127) then 10 else null end [NUMERIC_PRECISION_RADIX], columnproperty([C].[object_id], [C].[name], 'charmaxlen') [CHARACTER_MAXIMUM_LENGTH], [D].[definition] [COLUMN_DEFAULT]
       from (select s.name table_schema, o.name table_name, o.object_id from sys.objects o join sys.schemas s on s.schema_id = o.schema_id where o.name = 'Objects') [X] join [sys].[columns] [C] on [C].[object_id] = [X].[object_id]
       left join [sys].[types] [T] on [T].[user_type_id] = [C].[user_type_id] left join [sys].[types] [T2] on [T2].[user_type_id] = [T].[system_type_id] left join sys.default_constraints [D] on [D].[object_id] = [C].[default_object_id]`,
      'TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION IS_NULLABLE DATA_TYPE NUMERIC_PRECISION_RADIX CHARACTER_MAXIMUM_LENGTH COLUMN_DEFAULT',
      { COLUMN_NAME: 'Id', DATA_TYPE: 'uniqueidentifier' },
    ],
    [
      `select convert(nvarchar, fk.object_id) [FK_NAME], cast(f.constraint_column_id as bigint) [ORDINAL], s1.name [TABLE_SCHEMA_1], o1.name [TABLE_NAME_1], c1.name [PK_COLUMN_NAME_1] from tempdb.sys.foreign_key_columns f join tempdb.sys.foreign_keys fk on f.constraint_object_id = fk.object_id
       join tempdb.sys.objects o1 on o1.object_id = f.parent_object_id join tempdb.sys.schemas s1 on s1.schema_id = o1.schema_id join tempdb.sys.columns c1 on c1.object_id = o1.object_id and c1.column_id = f.parent_column_id order by f.constraint_object_id, f.constraint_column_id`,
      'FK_NAME ORDINAL TABLE_SCHEMA_1 TABLE_NAME_1 PK_COLUMN_NAME_1',
      { TABLE_NAME_1: 'ToolLine', PK_COLUMN_NAME_1: 'OrderId' },
    ],
    [
      "select i.name [INDEX_NAME], cc.name [COLUMN_NAME], cast(ic.key_ordinal as bigint) [ORDINAL_POSITION], i.is_primary_key [PRIMARY_KEY] from sys.objects o join sys.schemas s on s.schema_id = o.schema_id join sys.indexes as i on i.object_id = o.object_id join sys.index_columns as ic on ic.object_id = i.object_id and ic.index_id = i.index_id join sys.columns as cc on ic.column_id = cc.column_id and ic.object_id = cc.object_id where (i.is_primary_key = 1 or i.is_unique_constraint = 1 or i.is_unique = 1) and o.type in ('U', 'V') and ic.key_ordinal <> 0 order by i.name, s.name, o.name",
      'INDEX_NAME COLUMN_NAME ORDINAL_POSITION PRIMARY_KEY',
      { COLUMN_NAME: 'Id', PRIMARY_KEY: true },
    ],
    [
      'set transaction isolation level read uncommitted; select top 1000 [$Table].[Id] as [Id], [$Table].[Name] as [Name] from [dbo].[Objects] as [$Table]',
      'Id Name',
    ],
  ],
};
