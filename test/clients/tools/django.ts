import type { Tool } from './asked.ts';

/** Django with mssql-django: what it sends on connecting, and inspectdb. */
export const django: Tool = {
  name: 'Django (mssql-django)',
  asks: [
    ["SET DATEFORMAT ymd; SET DATEFIRST 7; SELECT CAST(SERVERPROPERTY('ProductVersion') AS varchar) AS v", 'v', 1],
    ["SELECT CAST(SERVERPROPERTY('EngineEdition') AS integer) AS e", 'e', 1],
    ['SELECT SYSDATETIME() AS now', 'now', 1],
    ['SELECT @@TRANCOUNT AS n', 'n', { n: 0 }],
    [
      `SELECT TABLE_NAME, TABLE_TYPE, CAST(ep.value AS VARCHAR) AS COMMENT FROM INFORMATION_SCHEMA.TABLES i
       LEFT JOIN sys.tables t ON t.name = i.TABLE_NAME LEFT JOIN sys.extended_properties ep ON t.object_id = ep.major_id
       AND ((ep.name = 'MS_DESCRIPTION' AND ep.minor_id = 0) OR ep.value IS NULL) WHERE i.TABLE_SCHEMA = SCHEMA_NAME()`,
      'TABLE_NAME TABLE_TYPE COMMENT',
      { TABLE_NAME: 'Objects', TABLE_TYPE: 'BASE TABLE' },
    ],
    ["SELECT COLUMNPROPERTY(OBJECT_ID('[Objects]'), 'Id', 'IsIdentity') AS i", 'i', { i: 0 }],
    [
      "SELECT collation_name FROM sys.columns c inner join sys.tables t on c.object_id = t.object_id WHERE t.name = 'Objects' and c.name = 'Name'",
      'collation_name',
      { collation_name: 'Latin1_General_CI_AS_KS_WS' },
    ],
    [
      `SELECT c.name FROM tempdb.sys.columns c INNER JOIN tempdb.sys.tables t ON c.object_id = t.object_id
       WHERE t.schema_id = SCHEMA_ID('dbo') AND t.name = 'ToolOrder' AND c.is_identity = 1`,
      'name',
      { name: 'Id' },
    ],
    [
      `SELECT e.COLUMN_NAME AS column_name, c.TABLE_NAME AS referenced_table_name, d.COLUMN_NAME AS referenced_column_name
       FROM tempdb.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS a
       INNER JOIN tempdb.INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS AS b ON a.CONSTRAINT_NAME = b.CONSTRAINT_NAME AND a.TABLE_SCHEMA = b.CONSTRAINT_SCHEMA
       INNER JOIN tempdb.INFORMATION_SCHEMA.CONSTRAINT_TABLE_USAGE AS c ON b.UNIQUE_CONSTRAINT_NAME = c.CONSTRAINT_NAME AND b.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA
       INNER JOIN tempdb.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS d ON c.CONSTRAINT_NAME = d.CONSTRAINT_NAME AND c.CONSTRAINT_SCHEMA = d.CONSTRAINT_SCHEMA
       INNER JOIN tempdb.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS e ON a.CONSTRAINT_NAME = e.CONSTRAINT_NAME AND a.TABLE_SCHEMA = e.TABLE_SCHEMA
       WHERE a.TABLE_SCHEMA = 'dbo' AND a.TABLE_NAME = 'ToolLine' AND a.CONSTRAINT_TYPE = 'FOREIGN KEY'`,
      'column_name referenced_table_name referenced_column_name',
      { column_name: 'OrderId', referenced_table_name: 'ToolOrder', referenced_column_name: 'Id' },
    ],
    [
      `SELECT c.name AS column_name, rt.name AS referenced_table_name, rc.name AS referenced_column_name FROM sys.foreign_key_columns fk
       INNER JOIN sys.tables t ON t.object_id = fk.parent_object_id INNER JOIN sys.columns c ON c.object_id = t.object_id AND c.column_id = fk.parent_column_id
       INNER JOIN sys.tables rt ON rt.object_id = fk.referenced_object_id
       INNER JOIN sys.columns rc ON rc.object_id = rt.object_id AND rc.column_id = fk.referenced_column_id WHERE t.name = 'Objects'`,
      'column_name referenced_table_name referenced_column_name',
      0,
    ],
    [
      `SELECT kc.constraint_name, kc.column_name, tc.constraint_type, fk.referenced_table_name FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS kc
       INNER JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS tc ON kc.table_schema = tc.table_schema AND kc.table_name = tc.table_name AND kc.constraint_name = tc.constraint_name
       LEFT OUTER JOIN (SELECT pt.name AS table_name, pc.name AS column_name, rt.name AS referenced_table_name FROM sys.foreign_key_columns fkc
         INNER JOIN sys.tables pt ON fkc.parent_object_id = pt.object_id
         INNER JOIN sys.columns pc ON fkc.parent_object_id = pc.object_id AND fkc.parent_column_id = pc.column_id
         INNER JOIN sys.tables rt ON fkc.referenced_object_id = rt.object_id) fk ON kc.table_name = fk.table_name AND kc.column_name = fk.column_name
       WHERE kc.table_schema = 'dbo' AND kc.table_name = 'Objects' ORDER BY kc.constraint_name ASC, kc.ordinal_position ASC`,
      'constraint_name column_name constraint_type referenced_table_name',
      { column_name: 'Id', constraint_type: 'PRIMARY KEY' },
    ],
    [
      `SELECT kc.constraint_name, kc.column_name FROM INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS kc
       JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS c ON kc.table_schema = c.table_schema AND kc.table_name = c.table_name AND kc.constraint_name = c.constraint_name
       WHERE c.constraint_type = 'CHECK'`,
      'constraint_name column_name',
      0,
    ],
    [
      "SELECT [name], COL_NAME([parent_object_id], [parent_column_id]) AS c FROM [tempdb].[sys].[default_constraints] WHERE OBJECT_NAME([parent_object_id], 2) = 'ToolOrder'",
      'name c',
      { c: 'Placed' },
    ],
    [
      `SELECT i.name AS index_name, i.is_unique, i.is_primary_key, i.type, i.type_desc, ic.is_descending_key, c.name AS column_name FROM sys.tables AS t
       INNER JOIN sys.indexes AS i ON t.object_id = i.object_id INNER JOIN sys.index_columns AS ic ON i.object_id = ic.object_id AND i.index_id = ic.index_id
       INNER JOIN sys.columns AS c ON ic.object_id = c.object_id AND ic.column_id = c.column_id
       WHERE t.schema_id = SCHEMA_ID('dbo') AND t.name = 'Objects' ORDER BY i.index_id ASC, ic.index_column_id ASC`,
      'index_name is_unique is_primary_key type type_desc is_descending_key column_name',
      { is_primary_key: true, type: 1, column_name: 'Id' },
    ],
  ],
};
