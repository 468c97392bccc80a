import type { Tool } from './asked.ts';

/** Azure Data Studio and the mssql extension of Visual Studio Code, by way of the SQL Tools Service. */
export const sqlToolsService: Tool = {
  name: 'Azure Data Studio, vscode-mssql',
  asks: [
    [
      `SELECT SERVERPROPERTY('EngineEdition') AS a, SERVERPROPERTY('productversion') AS b, SERVERPROPERTY ('productlevel') AS c, SERVERPROPERTY ('edition') AS d, SERVERPROPERTY ('MachineName') AS e, SERVERPROPERTY ('ServerName') AS f,
         (SELECT CASE WHEN EXISTS (SELECT TOP 1 1 from [sys].[all_columns] WITH (NOLOCK) WHERE name = N'xml_index_type' AND OBJECT_ID(N'sys.xml_indexes') = object_id) THEN 1 ELSE 0 END AS SXI_PRESENT) AS g`,
      'a b c d e f g',
      { g: 1 },
    ],
    [
      'SELECT [host_platform], [host_distribution], [host_release], [host_service_pack_level], [host_sku], [os_language_version] FROM sys.dm_os_host_info',
      'host_platform host_distribution host_release host_service_pack_level host_sku os_language_version',
      1,
    ],
    ['SELECT windows_release FROM sys.dm_os_windows_info', 'windows_release'],
    [
      "SELECT compatibility_level FROM sys.databases WITH (NOLOCK) WHERE name = N'SharePoint_Config'",
      'compatibility_level',
      1,
    ],
    ["SELECT name FROM sys.databases WHERE state_desc='ONLINE' ORDER BY name ASC", 'name', { name: 'master' }],
    ["SELECT CAST(SERVERPROPERTY('EditionID') AS bigint) AS EditionID;", 'EditionID', 1],
    [
      "if (exists (select 1 from sys.dm_exec_sessions where session_id = @@SPID)) exec('select case when authenticating_database_id = 1 then 0 else 1 end as contained from sys.dm_exec_sessions where session_id = @@SPID')",
      'contained',
      { contained: 0 },
    ],
    [
      "select suser_sname((select sid from sys.database_principals where name = N'dbo')) as owner;",
      'owner',
      { owner: 'sa' },
    ],
    [
      "IF OBJECT_ID ('sys.query_store_wait_stats') IS NOT NULL SELECT CAST(1 as bit) AS result ELSE SELECT CAST(0 as bit) AS result;",
      'result',
      { result: true },
    ],
    [
      'SELECT actual_state, readonly_reason FROM sys.database_query_store_options',
      'actual_state readonly_reason',
      { actual_state: 0 },
    ],
    [
      'SELECT q.query_id, qt.query_sql_text, p.plan_id, rs.count_executions FROM sys.query_store_query q JOIN sys.query_store_query_text qt ON q.query_text_id = qt.query_text_id JOIN sys.query_store_plan p ON p.query_id = q.query_id JOIN sys.query_store_runtime_stats rs ON rs.plan_id = p.plan_id',
      'query_id query_sql_text plan_id count_executions',
      0,
    ],
    ["select top 1 1 as memory from [SharePoint_Config].sys.filegroups where type = 'FX'", 'memory', 0],
    [
      "SELECT * from sys.database_filestream_options WHERE directory_name = N'x'",
      'database_id non_transacted_access non_transacted_access_desc directory_name',
      0,
    ],
    ['SELECT [NAME] FROM sys.credentials', 'NAME', 0],
    [
      `declare @filepath nvarchar(260), @rc int
       EXEC @rc = master.dbo.xp_instance_regread N'HKEY_LOCAL_MACHINE',N'Software\\Microsoft\\MSSQLServer\\MSSQLServer',N'DefaultData', @filepath output, 'no_output'
       select isnull(@filepath, convert(nvarchar(260), serverproperty('InstanceDefaultDataPath'))) as path, isnull(@rc, -1) as rc`,
      'path rc',
      1,
    ],
    [
      `SELECT roles.name AS role, member.name AS member FROM sys.server_role_members AS server_role_members INNER JOIN sys.server_principals AS roles ON server_role_members.role_principal_id = roles.principal_id
       INNER JOIN sys.server_principals AS member ON server_role_members.member_principal_id = member.principal_id LEFT OUTER JOIN sys.sql_logins AS sql_logins ON server_role_members.member_principal_id = sql_logins.principal_id`,
      'role member',
      { role: 'sysadmin', member: 'sa' },
    ],
    [
      `WITH db_size AS (SELECT database_id, CAST(SUM(size) * 8.0 / 1024 AS INTEGER) size FROM sys.master_files GROUP BY database_id), db_backup AS (SELECT database_name, MAX(backup_start_date) AS last_backup FROM msdb..backupset GROUP BY database_name)
       SELECT name, size, last_backup FROM sys.databases LEFT JOIN db_size ON sys.databases.database_id = db_size.database_id LEFT JOIN db_backup ON sys.databases.name = db_backup.database_name ORDER BY name`,
      'name size last_backup',
      { name: 'master', last_backup: null },
    ],
    [
      `SELECT s.name AS schema_name, o.name AS object_name, 'V' AS type FROM sys.all_objects o INNER JOIN sys.schemas s ON o.schema_id = s.schema_id WHERE o.type = 'V' AND s.name = 'sys'
       UNION ALL SELECT s.name, t.name, 'T' FROM sys.tables t JOIN sys.schemas s ON t.schema_id = s.schema_id`,
      'schema_name object_name type',
      { schema_name: 'dbo', object_name: 'Objects', type: 'T' },
    ],
    [
      'SELECT l.external_language_id, lf.platform FROM sys.external_languages l JOIN sys.external_language_files lf on l.external_language_id = lf.external_language_id JOIN sys.database_principals dp on l.principal_id = dp.principal_id',
      'external_language_id platform',
      0,
    ],
  ],
};

/** SQLTools for Visual Studio Code. */
export const sqlTools: Tool = {
  name: 'SQLTools',
  asks: [
    [
      'SP_COLUMNS @table_name = [Objects], @table_owner = [dbo], @table_qualifier = [SharePoint_Config]',
      'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME COLUMN_NAME DATA_TYPE TYPE_NAME PRECISION LENGTH SCALE RADIX NULLABLE REMARKS COLUMN_DEF SQL_DATA_TYPE SQL_DATETIME_SUB CHAR_OCTET_LENGTH ORDINAL_POSITION IS_NULLABLE SS_DATA_TYPE',
      { COLUMN_NAME: 'Id' },
    ],
    [
      `SELECT C.COLUMN_NAME AS label, 'connection.column' as "type", C.TABLE_NAME AS "table", C.DATA_TYPE AS "dataType", UPPER(C.DATA_TYPE + (CASE WHEN C.CHARACTER_MAXIMUM_LENGTH > 0 THEN ('(' + CONVERT(VARCHAR, C.CHARACTER_MAXIMUM_LENGTH) + ')') ELSE '' END)) AS "detail",
         (CASE WHEN LOWER(TC.CONSTRAINT_TYPE) = 'primary key' THEN 1 ELSE 0 END) as "isPk", (CASE WHEN LOWER(TC.CONSTRAINT_TYPE) = 'foreign key' THEN 1 ELSE 0 END) as "isFk"
       FROM INFORMATION_SCHEMA.COLUMNS C LEFT JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS KCU ON (C.TABLE_CATALOG = KCU.TABLE_CATALOG AND C.TABLE_NAME = KCU.TABLE_NAME AND C.TABLE_SCHEMA = KCU.TABLE_SCHEMA AND C.COLUMN_NAME = KCU.COLUMN_NAME)
       LEFT JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS TC ON (TC.CONSTRAINT_NAME = KCU.CONSTRAINT_NAME AND TC.TABLE_SCHEMA = KCU.TABLE_SCHEMA AND TC.TABLE_CATALOG = KCU.TABLE_CATALOG)
       JOIN INFORMATION_SCHEMA.TABLES AS T ON C.TABLE_NAME = T.TABLE_NAME AND C.TABLE_SCHEMA = T.TABLE_SCHEMA AND C.TABLE_CATALOG = T.TABLE_CATALOG
       WHERE C.TABLE_SCHEMA = 'dbo' AND C.TABLE_NAME = 'Objects' AND C.TABLE_CATALOG = 'SharePoint_Config' ORDER BY C.TABLE_NAME, C.ORDINAL_POSITION`,
      'label type table dataType detail isPk isFk',
      { label: 'Id', detail: 'UNIQUEIDENTIFIER', isPk: 1, isFk: 0 },
    ],
    [
      'SELECT * FROM [SharePoint_Config].[dbo].[Classes] ORDER BY 1 ASC OFFSET 0 ROWS FETCH NEXT 50 ROWS ONLY;',
      'Id BaseClassId FullName',
    ],
    ['SELECT COUNT(1) AS total FROM [SharePoint_Config].[dbo].[Objects]', 'total', 1],
    [
      `SELECT T.TABLE_NAME AS label, T.TABLE_SCHEMA AS "schema", CONVERT(BIT, CASE WHEN T.TABLE_TYPE = 'BASE TABLE' THEN 0 ELSE 1 END) AS "isView" FROM INFORMATION_SCHEMA.TABLES AS T WHERE T.TABLE_SCHEMA = 'dbo' AND T.TABLE_TYPE = 'BASE TABLE' ORDER BY T.TABLE_NAME;`,
      'label schema isView',
      { label: 'Objects', isView: false },
    ],
    [
      `SELECT schema_name AS label, schema_name AS "schema", catalog_name as "database" FROM information_schema.schemata WHERE LOWER(schema_name) NOT IN ('information_schema', 'sys', 'guest') AND LOWER(schema_name) NOT LIKE 'db\\_%' ESCAPE '\\' ORDER BY schema_name;`,
      'label schema database',
      1,
    ],
    [
      "SELECT name AS label, 'database' AS \"detail\" FROM MASTER.dbo.sysdatabases WHERE name NOT IN ('master', 'model', 'msdb', 'tempdb')",
      'label detail',
      { label: 'SharePoint_Config' },
    ],
    [
      `SELECT T.TABLE_NAME AS label, ('[' + T.TABLE_CATALOG + '].[' + T.TABLE_SCHEMA + '].[' + T.TABLE_NAME + ']') as detail FROM INFORMATION_SCHEMA.TABLES AS T WHERE LOWER(T.TABLE_CATALOG + '.' + T.TABLE_SCHEMA + '.' + T.TABLE_NAME) LIKE '%objects%' ORDER BY T.TABLE_NAME OFFSET 0 ROWS FETCH NEXT 100 ROWS ONLY`,
      'label detail',
      { detail: '[SharePoint_Config].[dbo].[Objects]' },
    ],
  ],
};

/** HeidiSQL. */
export const heidiSql: Tool = {
  name: 'HeidiSQL',
  asks: [
    [
      'SELECT DATEDIFF(SECOND, "login_time", CURRENT_TIMESTAMP) AS uptime FROM "master"."dbo"."sysprocesses" WHERE "spid"=1',
      'uptime',
      1,
    ],
    ['SELECT GETDATE() AS now', 'now', 1],
    ['SELECT SYSTEM_USER AS u', 'u', { u: 'sa' }],
    ['SELECT "name" FROM sys.databases ORDER BY "name"', 'name', { name: 'master' }],
    [
      'SELECT comment, value FROM master.dbo.syscurconfigs ORDER BY comment',
      'comment value',
      { comment: 'Network packet size' },
    ],
    [
      'SELECT name AS Charset, description AS Description FROM master.sys.syscharsets',
      'Charset Description',
      { Charset: 'iso_1' },
    ],
    [
      `SELECT o.*, SCHEMA_NAME("schema_id") AS 'schema', rc.RowsInTable FROM "SharePoint_Config".sys.objects AS o LEFT JOIN (SELECT object_id, SUM(rows) AS RowsInTable FROM "SharePoint_Config".sys.partitions WHERE index_id IN (0,1) GROUP BY object_id) AS rc
       ON rc.object_id = o.object_id WHERE o."type" IN ('P', 'U', 'V', 'TR', 'FN', 'TF', 'IF')`,
      'name object_id principal_id schema_id parent_object_id type type_desc create_date modify_date is_ms_shipped is_published is_schema_published schema RowsInTable',
      { name: 'Objects', schema: 'dbo' },
    ],
    [
      `SELECT f.name AS foreign_key_name, COL_NAME(fc.parent_object_id, fc.parent_column_id) AS constraint_column_name, SCHEMA_NAME(ro.schema_id) AS referenced_schema, OBJECT_NAME(f.referenced_object_id) AS referenced_object, update_referential_action_desc
       FROM sys.foreign_keys AS f INNER JOIN sys.foreign_key_columns AS fc ON f.object_id = fc.constraint_object_id INNER JOIN sys.objects AS ro ON ro.object_id = f.referenced_object_id WHERE f.parent_object_id = OBJECT_ID('"SharePoint_Config"."dbo"."Objects"')`,
      'foreign_key_name constraint_column_name referenced_schema referenced_object update_referential_action_desc',
      0,
    ],
    [
      `SELECT C.CONSTRAINT_NAME, C.CONSTRAINT_TYPE, K.COLUMN_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS C INNER JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS K ON C.CONSTRAINT_NAME = K.CONSTRAINT_NAME AND K.TABLE_NAME='Objects'
       WHERE C.CONSTRAINT_TYPE IN ('PRIMARY KEY', 'UNIQUE') ORDER BY K.ORDINAL_POSITION`,
      'CONSTRAINT_NAME CONSTRAINT_TYPE COLUMN_NAME',
      { CONSTRAINT_TYPE: 'PRIMARY KEY', COLUMN_NAME: 'Id' },
    ],
    [
      'SELECT SUM("rows") AS n FROM "sys"."partitions" WHERE "index_id" IN (0, 1) AND "object_id" = object_id(\'dbo.Objects\')',
      'n',
      1,
    ],
    [
      "SELECT 1 AS one FROM fn_listextendedproperty (N'MS_Description', N'SCHEMA', N'dbo', N'TABLE', N'Objects', N'COLUMN', N'Id')",
      'one',
      0,
    ],
    ["EXEC sp_helptext 'dbo.proc_getObject'", 'Text'],
    [
      `SELECT "p"."spid", RTRIM("p"."status") AS "Status", RTRIM("p"."loginame") AS "Login", RTRIM("p"."hostname") AS "HostName", DB_NAME("p"."dbid") AS "DBName", RTRIM("p"."cmd") AS "Command", "p"."cpu" AS "CPUTime", "p"."physical_io" AS "DiskIO", "p"."last_batch" AS "LastBatch", RTRIM("p"."program_name") AS "ProgramName", "t"."text" AS "Info"
       FROM "sys"."sysprocesses" "p" OUTER APPLY sys.dm_exec_sql_text("p"."sql_handle") AS "t"`,
      'spid Status Login HostName DBName Command CPUTime DiskIO LastBatch ProgramName Info',
      { Login: 'sa' },
    ],
  ],
};

/** DataGrip and the database plug-in of JetBrains, from memory: its source is not public. */
export const dataGrip: Tool = {
  name: 'DataGrip (from memory)',
  asks: [
    [
      "select cast(databasepropertyex(db_name(), 'collation') as char) as col, db_id() as id, original_db_name() as o",
      'col id o',
      1,
    ],
    [
      'select name, collation_name, database_id, is_read_only, user_access, state from sys.databases order by case when name = db_name() then 0 else 1 end, database_id',
      'name collation_name database_id is_read_only user_access state',
      { name: 'master' },
    ],
    [
      "select schema_id, s.name, isnull(p.name, 'dbo') as owner, case when s.schema_id = schema_id() then 1 else 0 end as is_current from sys.schemas s left join sys.database_principals p on p.principal_id = s.principal_id",
      'schema_id name owner is_current',
      { name: 'dbo', is_current: 1 },
    ],
    [
      "select principal_id, name, type, is_disabled from sys.server_principals where type in ('S', 'U', 'G', 'R')",
      'principal_id name type is_disabled',
      { name: 'sa' },
    ],
    ['select lcid, name, alias from sys.syslanguages', 'lcid name alias', { name: 'us_english' }],
    [
      'select collation_name = name, description from fn_helpcollations()',
      'collation_name description',
      { collation_name: 'Latin1_General_CI_AS_KS_WS' },
    ],
    [
      "select object_id, name, rtrim(type) as type, create_date, modify_date, is_ms_shipped from sys.all_objects where type in ('U','S','IT','V','FN','IF','P','X','PC','TF','TT') and schema_id = 1",
      'object_id name type create_date modify_date is_ms_shipped',
      { name: 'Objects', type: 'U' },
    ],
    [
      `with T as (select object_id, create_date from sys.all_objects where type in ('U','S','IT','V','TT') and schema_id = 1)
       select T.object_id, C.column_id as position, C.name, C.max_length, C.precision, C.scale, C.is_nullable, C.is_computed, cast(I.seed_value as bigint) as seed, cast(I.last_value as bigint) as last_value, D.name as default_name, D.definition as default_expression, type_name(C.user_type_id) as type
       from T join sys.all_columns C on T.object_id = C.object_id left join sys.identity_columns I on C.object_id = I.object_id and C.column_id = I.column_id left join sys.default_constraints D on C.object_id = D.parent_object_id and C.column_id = D.parent_column_id order by T.create_date, T.object_id, C.column_id`,
      'object_id position name max_length precision scale is_nullable is_computed seed last_value default_name default_expression type',
      { name: 'ParentId', type: 'uniqueidentifier' },
    ],
    [
      "select i.object_id, i.index_id % 30000 as position, i.name, i.type, i.filter_definition, i.is_unique, i.is_disabled, ds.name as space from sys.indexes i left join sys.data_spaces ds on ds.data_space_id = i.data_space_id where i.type != 0 and i.object_id = object_id('Objects')",
      'object_id position name type filter_definition is_unique is_disabled space',
      { position: 1, space: 'PRIMARY' },
    ],
    [
      "select k.object_id, k.parent_object_id, k.name, k.unique_index_id, k.is_system_named, case when k.type = 'PK' then 1 else 0 end as is_primary from sys.key_constraints k where k.schema_id = 1",
      'object_id parent_object_id name unique_index_id is_system_named is_primary',
      { is_primary: 1 },
    ],
    [
      'select m.object_id, cast(m.definition as nvarchar(max)) as text, m.uses_ansi_nulls from sys.sql_modules m join sys.objects o on o.object_id = m.object_id where o.schema_id = 1',
      'object_id text uses_ansi_nulls',
    ],
    [
      'select class, major_id, minor_id, state, permission_name, grantee_principal_id from sys.database_permissions where class in (0, 1, 3)',
      'class major_id minor_id state permission_name grantee_principal_id',
      { permission_name: 'CONNECT', state: 'G' },
    ],
    [
      "select e.major_id, e.minor_id, cast(e.value as nvarchar(4000)) as comment from sys.extended_properties e where e.name = 'MS_Description'",
      'major_id minor_id comment',
      0,
    ],
  ],
};
