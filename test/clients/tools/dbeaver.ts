import type { Tool } from './asked.ts';

/** DBeaver: its navigator, editors, search and session manager. */
export const dbeaver: Tool = {
  name: 'DBeaver',
  asks: [
    ['SELECT TOP 1 is_external from sys.tables where 1<>1', 'is_external', 0],
    ['SELECT @@VERSION AS version', 'version', 1],
    ['SELECT COLUMNPROPERTY(0, NULL, NULL) AS p', 'p', { p: null }],
    ["SELECT SERVERPROPERTY('EngineEdition') AS edition", 'edition', 1],
    ['SELECT db_name() AS d, schema_name() AS s, original_login() AS l', 'd s l', { s: 'dbo', l: 'sa' }],
    [
      'SELECT db.name, db.state_desc, db.is_ledger_on FROM sys.databases db ORDER BY db.name',
      'name state_desc is_ledger_on',
      { name: 'model' },
    ],
    [
      'SELECT database_id, SUM(size) AS size FROM sys.master_files WITH(NOWAIT) GROUP BY database_id',
      'database_id size',
      { database_id: 1 },
    ],
    [
      'SELECT name, system_type_id, max_length FROM sys.types WHERE is_user_defined = 0 order by name',
      'name system_type_id max_length',
      { name: 'geography', system_type_id: 240 },
    ],
    [
      'SELECT name, type_desc, is_fixed_role FROM sys.server_principals',
      'name type_desc is_fixed_role',
      { name: 'sa', type_desc: 'SQL_LOGIN' },
    ],
    [
      `SELECT ss.name, tt.type_table_object_id, tto.schema_id as type_table_schema_id FROM sys.types ss
       LEFT JOIN sys.table_types tt ON ss.name = tt.name AND ss.user_type_id = tt.user_type_id
       LEFT OUTER JOIN sys.objects tto ON tto.object_id = tt.type_table_object_id WHERE ss.is_user_defined = 1`,
      'name type_table_object_id type_table_schema_id',
      0,
    ],
    [
      `SELECT s.name, s.schema_id, ep.value as description FROM SharePoint_Config.sys.schemas s
       LEFT OUTER JOIN SharePoint_Config.sys.extended_properties ep ON ep.class=3 AND ep.major_id=s.schema_id AND ep.minor_id=0 AND ep.name='MS_Description'`,
      'name schema_id description',
      { name: 'dbo', schema_id: 1 },
    ],
    [
      `SELECT DISTINCT s.name, s.schema_id FROM sys.schemas s INNER JOIN sys.all_objects o ON o.schema_id=s.schema_id ORDER BY 2`,
      'name schema_id',
      3,
    ],
    [
      'SELECT t.name, t.is_instead_of_trigger FROM \nsys.triggers t\nWHERE t.parent_id=0 ORDER BY t.name',
      'name is_instead_of_trigger',
      0,
    ],
    [
      `SELECT o.*, ep.value as description, t.is_external FROM sys.all_objects o
       LEFT OUTER JOIN sys.extended_properties ep ON ep.class=1 AND ep.major_id=o.object_id AND ep.minor_id=0 AND ep.name='MS_Description'
       LEFT OUTER JOIN sys.tables t ON t.object_id=o.object_id
       WHERE o.type IN ('U','S','V','TT') AND o.schema_id = 1 AND o.name = 'Objects'`,
      'name object_id principal_id schema_id parent_object_id type type_desc create_date modify_date is_ms_shipped is_published is_schema_published description is_external',
      1,
    ],
    [
      `SELECT c.*, t.name as table_name, t.schema_id, cc.is_persisted, cc.definition as computed_definition,
         dc.definition as default_definition, dc.name as default_constraint_name, ep.value as description
       FROM sys.all_columns c JOIN sys.all_objects t ON t.object_id=c.object_id
       LEFT OUTER JOIN sys.default_constraints dc ON dc.parent_object_id=t.object_id AND dc.parent_column_id=c.column_id
       LEFT OUTER JOIN sys.extended_properties ep ON ep.class=1 AND ep.major_id=t.object_id AND ep.minor_id=c.column_id AND ep.name='MS_Description'
       LEFT OUTER JOIN sys.computed_columns cc ON cc.object_id=t.object_id AND cc.column_id=c.column_id
       WHERE t.object_id=object_id('Objects') ORDER BY c.object_id,c.column_id`,
      `object_id name column_id system_type_id user_type_id max_length precision scale collation_name is_nullable is_ansi_padded
       is_rowguidcol is_identity is_computed is_filestream is_replicated is_non_sql_subscribed is_merge_published is_dts_replicated
       is_xml_document xml_collection_id default_object_id rule_object_id is_sparse is_column_set generated_always_type
       generated_always_type_desc encryption_type encryption_type_desc encryption_algorithm_name column_encryption_key_id
       column_encryption_key_database_name is_hidden is_masked graph_type graph_type_desc is_data_deletion_filter_column
       ledger_view_column_type ledger_view_column_type_desc is_dropped_ledger_column
       table_name schema_id is_persisted computed_definition default_definition default_constraint_name description`,
      { name: 'Version', table_name: 'Objects' },
    ],
    [
      `SELECT i.name, i.index_id, ic.index_column_id,ic.column_id,ic.key_ordinal,ic.is_descending_key,ic.is_included_column,t.name as table_name
       FROM sys.indexes i, sys.index_columns ic, sys.all_objects t
       WHERE t.object_id = i.object_id AND ic.object_id=i.object_id AND ic.index_id=i.index_id AND t.schema_id = 1
       ORDER BY i.object_id,i.index_id,ic.key_ordinal`,
      'name index_id index_column_id column_id key_ordinal is_descending_key is_included_column table_name',
      { table_name: 'Objects', index_id: 1, key_ordinal: 1, is_descending_key: false },
    ],
    [
      `SELECT kc.name, kc.type, kc.unique_index_id, kc.is_enforced, t.name as table_name FROM sys.key_constraints kc, sys.all_objects t
       WHERE kc.parent_object_id=t.object_id AND kc.schema_id=1 ORDER BY kc.name`,
      'name type unique_index_id is_enforced table_name',
      { table_name: 'Objects', type: 'PK', unique_index_id: 1, is_enforced: true },
    ],
    [
      `SELECT t.name as table_name,fk.name,fk.key_index_id,fk.is_disabled,fk.delete_referential_action,fkc.constraint_column_id,tr.schema_id referenced_schema_id
       FROM tempdb.sys.foreign_keys fk, tempdb.sys.foreign_key_columns fkc, tempdb.sys.all_objects t, tempdb.sys.all_objects tr
       WHERE t.object_id = fk.parent_object_id AND fk.object_id=fkc.constraint_object_id AND tr.object_id=fk.referenced_object_id AND t.schema_id=1
       ORDER BY fkc.constraint_object_id, fkc.constraint_column_id`,
      'table_name name key_index_id is_disabled delete_referential_action constraint_column_id referenced_schema_id',
      {
        table_name: 'ToolLine',
        name: 'FK_ToolLine_ToolOrder',
        key_index_id: 1,
        delete_referential_action: 1,
        referenced_schema_id: 1,
      },
    ],
    [
      'SELECT s.name, s.base_object_name FROM sys.synonyms s WHERE s.schema_id=1 ORDER BY s.name',
      'name base_object_name',
      0,
    ],
    [
      `SELECT p.name as proc_name, pp.name, pp.parameter_id, pp.is_output FROM sys.all_objects p, sys.all_parameters pp
       WHERE p.type IN ('P','PC','X','TF','FN','IF') AND p.object_id = pp.object_id AND p.object_id=object_id('proc_getObject')
       ORDER BY pp.object_id, pp.parameter_id`,
      'proc_name name parameter_id is_output',
      { proc_name: 'proc_getObject', parameter_id: 1 },
    ],
    [
      `SELECT t.name, (SELECT STRING_AGG(te.type_desc, ', ') FROM sys.trigger_events te WHERE t.object_id = te.object_id) as trigger_type
       FROM sys.triggers t, sys.all_objects o WHERE o.object_id=t.object_id AND o.schema_id=1 ORDER BY t.name`,
      'name trigger_type',
      0,
    ],
    [
      `SELECT t.name, SUBSTRING((SELECT ', ' + te.type_desc AS [text()] FROM sys.trigger_events te WHERE t.object_id = te.object_id FOR XML PATH ('')), 2, 1000) as trigger_type
       FROM sys.triggers t`,
      'name trigger_type',
      0,
    ],
    [
      `SELECT t.schema_id as schema_id,t.name as table_name,fk.name as key_name FROM sys.tables t, sys.foreign_keys fk, sys.tables tr
       WHERE t.object_id = fk.parent_object_id AND tr.object_id=fk.referenced_object_id AND fk.referenced_object_id=object_id('Objects') ORDER BY 1,2,3`,
      'schema_id table_name key_name',
      0,
    ],
    [
      "SELECT c.name, c.definition FROM sys.check_constraints c WHERE c.parent_object_id=object_id('Objects')",
      'name definition',
      0,
    ],
    [
      "SELECT definition FROM sys.sql_modules WHERE object_id = (OBJECT_ID(N'[dbo].[proc_getObject]'))",
      'definition',
      1,
    ],
    ["sys.sp_helptext 'proc_getObject'", 'Text'],
    [
      "SELECT 1 AS one FROM sys.extended_properties WHERE [class] = 1 AND [major_id] = 5 AND [minor_id] = 0 AND [name] = N'MS_Description'",
      'one',
      0,
    ],
    [
      `SELECT t.name, p.rows, SUM(a.total_pages) * 8 AS totalSize, SUM(a.used_pages) * 8 AS usedSize
       FROM sys.tables t INNER JOIN sys.indexes i ON t.OBJECT_ID = i.object_id
       INNER JOIN sys.partitions p ON i.object_id = p.OBJECT_ID AND i.index_id = p.index_id
       INNER JOIN sys.allocation_units a ON p.partition_id = a.container_id
       LEFT OUTER JOIN sys.schemas s ON t.schema_id = s.schema_id WHERE t.schema_id = 1 GROUP BY t.name, p.rows`,
      'name rows totalSize usedSize',
      { name: 'Objects' },
    ],
    [
      `SELECT TOP 50 o.name, o.type FROM sys.all_objects o
       LEFT JOIN sys.extended_properties ep ON ((o.parent_object_id = 0 AND ep.minor_id = 0 AND o.object_id = ep.major_id) OR (o.parent_object_id <> 0 AND ep.minor_id = o.parent_object_id AND ep.major_id = o.object_id))
       WHERE o.type IN ('U','V','P') AND (o.name LIKE N'Obj%' OR (ep.name = 'MS_Description' AND CAST(ep.value AS nvarchar) LIKE N'Obj%')) AND o.schema_id = 1 ORDER BY o.name`,
      'name type',
      { name: 'Objects' },
    ],
    [
      `SELECT TOP 100 name FROM tempdb.sys.all_objects WHERE type = 'U' AND name LIKE '#%' AND OBJECT_ID(CONCAT('tempdb..', QUOTENAME(name))) <> 0`,
      'name',
    ],
    [
      `SELECT s.session_id, s.login_name, db.name as database_name, c.connection_id, (select text from sys.dm_exec_sql_text(c.most_recent_sql_handle)) as sql_text
       FROM sys.dm_exec_sessions s JOIN sys.dm_exec_connections c ON c.session_id=s.session_id
       LEFT OUTER JOIN sys.sysdatabases db on db.dbid=s.database_id ORDER BY s.session_id DESC`,
      'session_id login_name database_name connection_id sql_text',
      { login_name: 'sa' },
    ],
    [
      `SELECT ep.*, TYPE_ID(CAST(SQL_VARIANT_PROPERTY(value, 'BaseType') as nvarchar)) as value_type FROM sys.extended_properties ep
       WHERE ep.major_id=1 AND ep.minor_id=0 AND ep.class=1 ORDER BY ep.minor_id`,
      'class class_desc major_id minor_id name value value_type',
      0,
    ],
  ],
};
