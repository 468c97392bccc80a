import type { Tool } from './asked.ts';

/** DbGate: the structure of a database, and its lists of databases, processes and variables. */
export const dbgate: Tool = {
  name: 'DbGate',
  asks: [
    [
      `select @@VERSION as version, SERVERPROPERTY('productversion') as productVersion, SERVERPROPERTY('productlevel') as level, SERVERPROPERTY('edition') as edition`,
      'version productVersion level edition',
      1,
    ],
    [
      `select c.object_id as objectId, ep.value as columnComment, c.column_id as columnId from sys.columns c
       inner join sys.objects o on c.object_id = o.object_id inner join sys.schemas u on u.schema_id = o.schema_id
       inner join sys.extended_properties ep on ep.major_id = c.object_id and ep.minor_id = c.column_id and ep.name = 'MS_Description'
       where o.type in ('U', 'V') order by c.column_id`,
      'objectId columnComment columnId',
      0,
    ],
    [
      `select c.name as columnName, t.name as dataType, c.is_identity as isIdentity, c.max_length as maxLength, c.precision, c.scale,
         c.is_nullable as isNullable, col.CHARACTER_MAXIMUM_LENGTH as charMaxLength, d.definition as defaultValue,
         d.name as defaultConstraint, m.definition as computedExpression, m.is_persisted as isPersisted, c.is_sparse as isSparse
       from sys.columns c inner join sys.types t on c.system_type_id = t.system_type_id and c.user_type_id = t.user_type_id
       inner join sys.objects o on c.object_id = o.object_id inner join sys.schemas u on u.schema_id = o.schema_id
       inner join INFORMATION_SCHEMA.COLUMNS col on col.TABLE_NAME = o.name and col.TABLE_SCHEMA = u.name and col.COLUMN_NAME = c.name
       left join sys.default_constraints d on c.default_object_id = d.object_id
       left join sys.computed_columns m on m.object_id = c.object_id and m.column_id = c.column_id
       where o.type = 'U' and o.name = 'Objects' order by c.column_id`,
      'columnName dataType isIdentity maxLength precision scale isNullable charMaxLength defaultValue defaultConstraint computedExpression isPersisted isSparse',
      { columnName: 'Name', dataType: 'nvarchar' },
    ],
    [
      `select schemaName = FK.TABLE_SCHEMA, pureName = FK.TABLE_NAME, columnName = CU.COLUMN_NAME, refTableName = PK.TABLE_NAME,
         constraintName = C.CONSTRAINT_NAME, updateAction = C.UPDATE_RULE, deleteAction = C.DELETE_RULE, objectId = o.object_id
       from tempdb.INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS C
       inner join tempdb.INFORMATION_SCHEMA.TABLE_CONSTRAINTS FK on C.CONSTRAINT_NAME = FK.CONSTRAINT_NAME and C.CONSTRAINT_SCHEMA = FK.CONSTRAINT_SCHEMA
       left join tempdb.INFORMATION_SCHEMA.TABLE_CONSTRAINTS PK on C.UNIQUE_CONSTRAINT_NAME = PK.CONSTRAINT_NAME
       left join tempdb.INFORMATION_SCHEMA.KEY_COLUMN_USAGE CU on C.CONSTRAINT_NAME = CU.CONSTRAINT_NAME
       inner join tempdb.sys.objects o on o.name = FK.TABLE_NAME and SCHEMA_NAME(o.schema_id) = FK.TABLE_SCHEMA order by CU.ORDINAL_POSITION`,
      'schemaName pureName columnName refTableName constraintName updateAction deleteAction objectId',
      {
        pureName: 'ToolLine',
        columnName: 'OrderId',
        refTableName: 'ToolOrder',
        deleteAction: 'CASCADE',
        updateAction: 'NO ACTION',
      },
    ],
    [
      `select o.name as pureName, p.name as parameterName, TYPE_NAME(p.user_type_id) as dataType,
         case when TYPE_NAME(p.user_type_id) = 'nvarchar' then p.max_length / 2 else p.max_length end as charMaxLength,
         case when p.is_output = 1 then 'OUT' else 'IN' end as parameterMode, p.parameter_id as parameterIndex, s.name as schemaName
       from sys.objects o join sys.parameters p on o.object_id = p.object_id inner join sys.schemas s on s.schema_id = o.schema_id
       where o.type = 'P' order by o.object_id, p.parameter_id;`,
      'pureName parameterName dataType charMaxLength parameterMode parameterIndex schemaName',
      { pureName: 'proc_getObject', parameterIndex: 1, parameterMode: 'IN' },
    ],
    [
      `select c.object_id, c.index_id, c.column_id, col.name as columnName, c.is_descending_key as isDescending, c.is_included_column as isIncludedColumn
       from sys.index_columns c inner join sys.columns col on c.object_id = col.object_id and c.column_id = col.column_id
       inner join sys.objects o on c.object_id = o.object_id where o.name = 'Objects' order by c.key_ordinal`,
      'object_id index_id column_id columnName isDescending isIncludedColumn',
      { columnName: 'Id', index_id: 1 },
    ],
    [
      `select i.object_id, i.name as constraintName, i.type_desc as indexType, i.is_unique as isUnique, i.index_id, i.is_unique_constraint, i.filter_definition as filterDefinition
       from sys.indexes i inner join sys.objects o on i.object_id = o.object_id
       where i.is_primary_key = 0 and i.is_hypothetical = 0 and indexproperty(i.object_id, i.name, 'IsStatistics') = 0
         and objectproperty(i.object_id, 'IsUserTable') = 1 and i.index_id between 1 and 254`,
      'object_id constraintName indexType isUnique index_id is_unique_constraint filterDefinition',
    ],
    [
      `select d.name, d.database_id, d.state_desc as status, d.recovery_model_desc as recoveryModel, d.collation_name as collation,
         cast(sum(case when mf.type = 0 then mf.size * 8192.0 else 0 end) as bigint) as sizeOnDisk,
         cast(sum(case when mf.type = 1 then mf.size * 8192.0 else 0 end) as bigint) as logSizeOnDisk
       from sys.databases d left join sys.master_files mf on d.database_id = mf.database_id
       group by d.name, d.database_id, d.state_desc, d.recovery_model_desc, d.collation_name order by d.name`,
      'name database_id status recoveryModel collation sizeOnDisk logSizeOnDisk',
      { name: 'master', database_id: 1, status: 'ONLINE' },
    ],
    [
      `select session_id as processId, isnull(host_name, 'Unknown') + ':' + isnull(cast(host_process_id as varchar(10)), '?') as client,
         isnull(db_name(database_id), 'master') as namespace, isnull(datediff(second, last_request_start_time, getdate()), 0) as runningTime, status as state
       from sys.dm_exec_sessions where is_user_process = 1 order by session_id`,
      'processId client namespace runningTime state',
      { state: 'running' },
    ],
    [
      'select name as variable, value from sys.configurations order by name',
      'variable value',
      { variable: 'max server memory (MB)' },
    ],
    [
      `select s.name as pureName, u.name as schemaName, c.text as codeText from sys.objects s
       inner join sys.syscomments c on s.object_id = c.id inner join sys.schemas u on u.schema_id = s.schema_id
       where s.name = 'proc_getObject' order by u.name, s.name, c.colid`,
      'pureName schemaName codeText',
      1,
    ],
    [
      `select o.object_id as objectId, o.modify_date as modifyDate, o.type, o.name as pureName, s.name as schemaName from sys.objects o
       inner join sys.schemas s on o.schema_id = s.schema_id where o.type in ('U', 'V', 'P', 'IF', 'FN', 'TF', 'TR')`,
      'objectId modifyDate type pureName schemaName',
      { pureName: 'Objects', schemaName: 'dbo' },
    ],
    [
      `select distinct t.object_id as objectId, p.rows as tableRowCount from sys.tables t inner join sys.indexes i on t.OBJECT_ID = i.object_id
       inner join sys.partitions p on i.object_id = p.OBJECT_ID and i.index_id = p.index_id
       where t.NAME not like 'dt%' and t.is_ms_shipped = 0 and i.OBJECT_ID > 255 and t.name = 'Objects'`,
      'objectId tableRowCount',
      1,
    ],
    [
      `select o.name as triggerName, OBJECT_NAME(o.parent_object_id) as tableName,
         case when OBJECTPROPERTY(o.object_id, 'ExecIsAfterTrigger') = 1 then 'AFTER' when OBJECTPROPERTY(o.object_id, 'ExecIsInsteadOfTrigger') = 1 then 'INSTEAD OF' else 'BEFORE' end as timing,
         OBJECT_DEFINITION(o.object_id) as definition
       from sys.objects o inner join sys.tables t on o.parent_object_id = t.object_id where o.type = 'TR' and o.is_ms_shipped = 0`,
      'triggerName tableName timing definition',
      0,
    ],
  ],
};
