import type { Tool } from './asked.ts';

/** Entity Framework Core: migrations, and the scaffolding of a model from a database. */
export const efCore: Tool = {
  name: 'Entity Framework Core',
  asks: [
    ["SELECT OBJECT_ID(N'[__EFMigrationsHistory]') AS id;", 'id', { id: null }],
    [
      `IF EXISTS (SELECT * FROM [sys].[objects] o WHERE [o].[type] = 'U' AND [o].[is_ms_shipped] = 0
         AND NOT EXISTS (SELECT * FROM [sys].[extended_properties] AS [ep] WHERE [ep].[major_id] = [o].[object_id] AND [ep].[minor_id] = 0
           AND [ep].[class] = 1 AND [ep].[name] = N'microsoft_database_tools_support')) SELECT 1 AS n ELSE SELECT 0 AS n`,
      'n',
      { n: 1 },
    ],
    [
      "DECLARE @result int; EXEC @result = sp_getapplock @Resource = '__EFMigrationsLock', @LockOwner = 'Session', @LockMode = 'Exclusive'; SELECT @result AS r",
      'r',
      { r: 0 },
    ],
    [
      "DECLARE @result int; EXEC @result = sp_releaseapplock @Resource = '__EFMigrationsLock', @LockOwner = 'Session'; SELECT @result AS r",
      'r',
      { r: 0 },
    ],
    ["SELECT HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), 'DATABASE', 'VIEW DEFINITION') AS p;", 'p', { p: 1 }],
    [
      'SELECT compatibility_level FROM sys.databases WHERE name = DB_NAME();',
      'compatibility_level',
      { compatibility_level: 160 },
    ],
    ["SELECT SERVERPROPERTY('Collation') AS c, SCHEMA_NAME() AS s;", 'c s', { s: 'dbo' }],
    [
      `SELECT SCHEMA_NAME([t].[schema_id]) AS [schema_name], [t].[name] AS [type_name], [t2].[name] AS [underlying_system_type],
         CAST([t].[max_length] AS int) AS [max_length], CAST([t].[precision] AS int) AS [precision], CAST([t].[scale] AS int) AS [scale]
       FROM [sys].[types] AS [t] JOIN [sys].[types] AS [t2] ON [t].[system_type_id] = [t2].[user_type_id]
       WHERE [t].[is_user_defined] = 1 OR [t].[system_type_id] <> [t].[user_type_id];`,
      'schema_name type_name underlying_system_type max_length precision scale',
      { schema_name: 'sys', type_name: 'sysname', underlying_system_type: 'nvarchar', max_length: 256 },
    ],
    [
      `SELECT OBJECT_SCHEMA_NAME([s].[object_id]) AS [schema_name], [s].[name], TYPE_NAME([s].[user_type_id]) AS [type_name], [s].[is_cycling],
         CAST([s].[increment] AS int) AS [increment], CAST(CASE WHEN [s].[start_value] > 9223372036854775807 THEN 9223372036854775807
           WHEN [s].[start_value] < -9223372036854775808 THEN -9223372036854775808 ELSE [s].[start_value] END AS bigint) AS start_value, [s].[is_cached]
       FROM [sys].[sequences] AS [s] JOIN [sys].[types] AS [t] ON [s].[user_type_id] = [t].[user_type_id]`,
      'schema_name name type_name is_cycling increment start_value is_cached',
      0,
    ],
    [
      `SELECT SCHEMA_NAME([t].[schema_id]) AS [schema], [t].[name], CAST([e].[value] AS nvarchar(MAX)) AS [comment], 'table' AS [type],
         [t].[is_memory_optimized], [t].[temporal_type], (SELECT [t2].[name] FROM [sys].[tables] AS t2 WHERE [t2].[object_id] = [t].[history_table_id]) AS [history_table_name],
         (SELECT [c].[name] FROM [sys].[columns] as [c] WHERE [c].[object_id] = [t].[object_id] AND [c].[generated_always_type] = 1) as [period_start_column]
       FROM [sys].[tables] AS [t] LEFT JOIN [sys].[extended_properties] AS [e] ON [e].[major_id] = [t].[object_id] AND [e].[minor_id] = 0 AND [e].[class] = 1 AND [e].[name] = 'MS_Description'
       WHERE [t].[is_ms_shipped] = 0 AND [t].[object_id] NOT IN (SELECT [ep].[major_id] FROM [sys].[extended_properties] AS [ep] WHERE [ep].[minor_id] = 0 AND [ep].[class] = 1 AND [ep].[name] = N'microsoft_database_tools_support')
         AND [t].[name] <> '__EFMigrationsHistory' AND [t].[temporal_type] <> 1
       UNION SELECT SCHEMA_NAME([v].[schema_id]) AS [schema], [v].[name], CAST([e].[value] AS nvarchar(MAX)) AS [comment], 'view' AS [type],
         CAST(0 AS bit) AS [is_memory_optimized], 1 AS [temporal_type], NULL AS [history_table_name], NULL AS [period_start_column]
       FROM [sys].[views] AS [v] LEFT JOIN [sys].[extended_properties] AS [e] ON [e].[major_id] = [v].[object_id] AND [e].[minor_id] = 0 AND [e].[class] = 1
       WHERE [v].[is_ms_shipped] = 0 AND [v].[is_date_correlation_view] = 0;`,
      'schema name comment type is_memory_optimized temporal_type history_table_name period_start_column',
      { schema: 'dbo', name: 'Objects', type: 'table', is_memory_optimized: false },
    ],
    [
      `SELECT SCHEMA_NAME([o].[schema_id]) AS [table_schema], [o].[name] AS [table_name], [c].[name] AS [column_name], [c].[column_id] AS [ordinal],
         SCHEMA_NAME([tp].[schema_id]) AS [type_schema], [tp].[name] AS [type_name], CAST([c].[max_length] AS int) AS [max_length], [c].[is_nullable], [c].[is_identity],
         [dc].[definition] AS [default_sql], [dc].[is_system_named] AS [default_constraint_is_system_named], [cc].[definition] AS [computed_sql], [c].[collation_name], [c].[is_sparse]
       FROM (SELECT [t].[name], [t].[object_id], [t].[schema_id] FROM [sys].[tables] t WHERE [t].[is_ms_shipped] = 0
         UNION ALL SELECT[v].[name], [v].[object_id], [v].[schema_id] FROM [sys].[views] v WHERE [v].[is_ms_shipped] = 0) o
       JOIN [sys].[columns] AS [c] ON [o].[object_id] = [c].[object_id] LEFT JOIN [sys].[types] AS [tp] ON [c].[user_type_id] = [tp].[user_type_id]
       LEFT JOIN [sys].[computed_columns] AS [cc] ON [c].[object_id] = [cc].[object_id] AND [c].[column_id] = [cc].[column_id]
       LEFT JOIN [sys].[default_constraints] AS [dc] ON [c].[object_id] = [dc].[parent_object_id] AND [c].[column_id] = [dc].[parent_column_id]
       WHERE [c].[generated_always_type] <> 1 AND [c].[generated_always_type] <> 2 ORDER BY [table_schema], [table_name], [c].[column_id];`,
      'table_schema table_name column_name ordinal type_schema type_name max_length is_nullable is_identity default_sql default_constraint_is_system_named computed_sql collation_name is_sparse',
      { table_name: 'Objects', column_name: 'Id', ordinal: 1, type_name: 'uniqueidentifier', is_nullable: false },
    ],
    [
      `SELECT SCHEMA_NAME([t].[schema_id]) AS [table_schema], [t].[name] AS [table_name], [i].[name] AS [index_name], [i].[type_desc], [i].[is_primary_key],
         [i].[is_unique_constraint], [i].[is_unique], [i].[has_filter], [i].[filter_definition], [i].[fill_factor], COL_NAME([ic].[object_id], [ic].[column_id]) AS [column_name],
         [ic].[is_descending_key], [ic].[is_included_column]
       FROM [sys].[indexes] AS [i] JOIN [sys].[tables] AS [t] ON [i].[object_id] = [t].[object_id]
       JOIN [sys].[index_columns] AS [ic] ON [i].[object_id] = [ic].[object_id] AND [i].[index_id] = [ic].[index_id]
       WHERE [i].[is_hypothetical] = 0 AND [t].[is_ms_shipped] = 0 ORDER BY [table_schema], [table_name], [index_name], [ic].[key_ordinal];`,
      'table_schema table_name index_name type_desc is_primary_key is_unique_constraint is_unique has_filter filter_definition fill_factor column_name is_descending_key is_included_column',
      { table_name: 'Objects', type_desc: 'CLUSTERED', is_primary_key: true, column_name: 'Id' },
    ],
    [
      `SELECT SCHEMA_NAME([t].[schema_id]) AS [table_schema], [t].[name] AS [table_name], [f].[name], SCHEMA_NAME(tab2.schema_id) AS [principal_table_schema],
         [tab2].name AS [principal_table_name], [f].[delete_referential_action_desc], [col1].[name] AS [column_name], [col2].[name] AS [referenced_column_name]
       FROM [tempdb].[sys].[foreign_keys] AS [f] JOIN [tempdb].[sys].[foreign_key_columns] AS fc ON [fc].[constraint_object_id] = [f].[object_id]
       JOIN [tempdb].[sys].[tables] AS [t] ON [t].[object_id] = [fc].[parent_object_id]
       JOIN [tempdb].[sys].[columns] AS [col1] ON [col1].[column_id] = [fc].[parent_column_id] AND [col1].[object_id] = [t].[object_id]
       JOIN [tempdb].[sys].[tables] AS [tab2] ON [tab2].[object_id] = [fc].[referenced_object_id]
       JOIN [tempdb].[sys].[columns] AS [col2] ON [col2].[column_id] = [fc].[referenced_column_id] AND [col2].[object_id] = [tab2].[object_id]
       ORDER BY [table_schema], [table_name], [f].[name], [fc].[constraint_column_id];`,
      'table_schema table_name name principal_table_schema principal_table_name delete_referential_action_desc column_name referenced_column_name',
      {
        table_name: 'ToolLine',
        principal_table_name: 'ToolOrder',
        delete_referential_action_desc: 'CASCADE',
        column_name: 'OrderId',
      },
    ],
    [
      `SELECT SCHEMA_NAME([t].[schema_id]) AS [table_schema], [t].[name] AS [table_name], [tr].[name] AS [trigger_name] FROM [sys].[triggers] AS [tr]
       JOIN [sys].[tables] AS [t] ON [tr].[parent_id] = [t].[object_id] WHERE [tr].[is_ms_shipped] = 0 ORDER BY [table_schema], [table_name], [tr].[name]`,
      'table_schema table_name trigger_name',
      0,
    ],
    [
      `SELECT [c].[name], [c].[is_default], [c].[is_accent_sensitivity_on], [p].[name] AS owner FROM [sys].[fulltext_catalogs] AS [c]
       LEFT JOIN [sys].[database_principals] AS [p] ON [p].[principal_id] = [c].[principal_id]`,
      'name is_default is_accent_sensitivity_on owner',
      0,
    ],
  ],
};
