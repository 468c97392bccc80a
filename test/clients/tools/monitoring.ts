import type { Tool } from './asked.ts';

/** What telegraf puts before each of its queries: 2, 3 and 4 are the editions that it takes for a SQL Server. */
const guarded = (query: string): string => `SET DEADLOCK_PRIORITY -10;
  IF SERVERPROPERTY('EngineEdition') NOT IN (2,3,4) BEGIN
    DECLARE @ErrorMessage AS nvarchar(500) = 'Server:' + @@ServerName + ',Database:' + DB_NAME() + ' is no SQL Server.';
    RAISERROR (@ErrorMessage,11,1)
    RETURN
  END;
  ${query}`;

const version = `DECLARE @SqlStatement AS nvarchar(max), @Columns AS nvarchar(max) = '',
  @MajorMinorVersion AS int = CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar),4) AS int)*100 + CAST(PARSENAME(CAST(SERVERPROPERTY('ProductVersion') AS nvarchar),3) AS int)`;

/** telegraf’s sqlserver input. */
export const telegraf: Tool = {
  name: 'telegraf',
  asks: [
    [
      guarded(`SELECT 'sqlserver_cpu' AS [measurement], REPLACE(@@SERVERNAME,'\\',':') AS [sql_instance], [SQLProcessCPU] AS [sqlserver_process_cpu], [SystemIdleCPU] AS [system_idle_cpu],
        100 - [SystemIdleCPU] - [SQLProcessCPU] AS [other_process_cpu] FROM (SELECT TOP 1 [record_id], [SQLProcessCPU], [SystemIdleCPU] FROM (
          SELECT record.value('(./Record/@id)[1]', 'int') AS [record_id], record.value('(./Record/SchedulerMonitorEvent/SystemHealth/SystemIdle)[1]', 'int') AS [SystemIdleCPU],
            record.value('(./Record/SchedulerMonitorEvent/SystemHealth/ProcessUtilization)[1]', 'int') AS [SQLProcessCPU]
          FROM (SELECT CONVERT(xml, [record]) AS [record] FROM sys.dm_os_ring_buffers WHERE [ring_buffer_type] = N'RING_BUFFER_SCHEDULER_MONITOR' AND [record] LIKE '%<SystemHealth>%') AS x) AS y
        ORDER BY [record_id] DESC) AS z`),
      'measurement sql_instance sqlserver_process_cpu system_idle_cpu other_process_cpu',
    ],
    [
      guarded(`${version}
        IF @MajorMinorVersion >= 1100 SET @Columns += N'mc.[pages_kb]'; ELSE SET @Columns += N'mc.[single_pages_kb]';
        SET @SqlStatement = N'SELECT ''sqlserver_memory_clerks'' AS [measurement], REPLACE(@@SERVERNAME, ''\\'', '':'') AS [sql_instance],
          ISNULL(clerk_names.[name],mc.[type]) AS [clerk_type], SUM(' + @Columns + N') AS [size_kb] FROM sys.[dm_os_memory_clerks] AS mc WITH (NOLOCK)
          LEFT OUTER JOIN (VALUES (''MEMORYCLERK_SQLBUFFERPOOL'',''Buffer Pool''), (''MEMORYCLERK_SQLGENERAL'',''General'')) AS clerk_names([system_name],[name]) ON mc.[type] = clerk_names.[system_name]
          GROUP BY ISNULL(clerk_names.[name], mc.[type]) HAVING SUM(' + @Columns + N') >= 1024 OPTION(RECOMPILE);'
        EXEC(@SqlStatement)`),
      'measurement sql_instance clerk_type size_kb',
      { clerk_type: 'General' },
    ],
    [
      guarded(`${version}
        SET @SqlStatement = N'SELECT ''sqlserver_database_io'' AS [measurement], DB_NAME(vfs.[database_id]) AS [database_name], COALESCE(mf.[physical_name],''RBPEX'') AS [physical_filename],
          mf.[type_desc] AS [file_type], vfs.[io_stall_read_ms] AS [read_latency_ms], vfs.[num_of_reads] AS [reads], vfs.[num_of_bytes_written] AS [write_bytes], [volume_mount_point],
          vfs.[io_stall_queued_read_ms] AS [rg_read_stall_ms]
        FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS vfs INNER JOIN sys.master_files AS mf WITH (NOLOCK) ON vfs.[database_id] = mf.[database_id] AND vfs.[file_id] = mf.[file_id]
        CROSS APPLY sys.dm_os_volume_stats(vfs.[database_id], vfs.[file_id]) AS vs'
        EXEC sp_executesql @SqlStatement`),
      'measurement database_name physical_filename file_type read_latency_ms reads write_bytes volume_mount_point rg_read_stall_ms',
    ],
    [
      guarded(`${version}
        SET @SqlStatement = 'DECLARE @ForceEncryption INT, @DynamicportNo NVARCHAR(50), @StaticportNo NVARCHAR(50);
        EXEC [xp_instance_regread] @rootkey = ''HKEY_LOCAL_MACHINE'', @key = ''SOFTWARE\\Microsoft\\Microsoft SQL Server\\MSSQLServer\\SuperSocketNetLib'', @value_name = ''ForceEncryption'', @value = @ForceEncryption OUTPUT;
        EXEC [xp_instance_regread] @rootkey = ''HKEY_LOCAL_MACHINE'', @key = ''Software\\Microsoft\\Microsoft SQL Server\\MSSQLServer\\SuperSocketNetLib\\Tcp\\IpAll'', @value_name = ''TcpPort'', @value = @StaticportNo OUTPUT
        SELECT ''sqlserver_server_properties'' AS [measurement], REPLACE(@@SERVERNAME,''\\'','':'') AS [sql_instance], @@SERVICENAME AS [service_name], si.[cpu_count],
          (SELECT [total_physical_memory_kb] FROM sys.[dm_os_sys_memory]) AS [server_memory], (SELECT [available_physical_memory_kb] FROM sys.[dm_os_sys_memory]) AS [available_server_memory],
          SERVERPROPERTY(''Edition'') AS [sku], CAST(SERVERPROPERTY(''EngineEdition'') AS int) AS [engine_edition], DATEDIFF(MINUTE,si.[sqlserver_start_time],GETDATE()) AS [uptime],
          SERVERPROPERTY(''ProductVersion'') AS [sql_version], SERVERPROPERTY(''IsHadrEnabled'') AS [is_hadr_enabled], LEFT(@@VERSION,CHARINDEX('' - '',@@VERSION)) AS [sql_version_desc],
          @ForceEncryption AS [ForceEncryption], COALESCE(@DynamicportNo,@StaticportNo) AS [Port], IIF(@DynamicportNo IS NULL, ''Static'', ''Dynamic'') AS [PortType], dbs.[db_online], dbs.[db_offline]
        FROM sys.[dm_os_sys_info] AS si CROSS APPLY (SELECT SUM(CASE WHEN [state] = 0 THEN 1 ELSE 0 END) AS [db_online], SUM(CASE WHEN [state] IN (6,10) THEN 1 ELSE 0 END) AS [db_offline] FROM sys.databases) AS dbs'
        EXEC sp_executesql @SqlStatement`),
      'measurement sql_instance service_name cpu_count server_memory available_server_memory sku engine_edition uptime sql_version is_hadr_enabled sql_version_desc ForceEncryption Port PortType db_online db_offline',
      { PortType: 'Static', db_offline: 0, is_hadr_enabled: 0 },
    ],
    [
      guarded(`SELECT CAST(s.[scheduler_id] AS VARCHAR(4)) AS [scheduler_id], CAST(s.[cpu_id] AS VARCHAR(4)) AS [cpu_id], s.[is_online], s.[is_idle], s.[preemptive_switches_count], s.[context_switches_count],
        s.[current_tasks_count], s.[runnable_tasks_count], s.[current_workers_count], s.[active_workers_count], s.[work_queue_count], s.[pending_disk_io_count], s.[load_factor], s.[yield_count],
        s.[total_cpu_usage_ms], s.[total_scheduler_delay_ms] FROM sys.dm_os_schedulers AS s`),
      'scheduler_id cpu_id is_online is_idle preemptive_switches_count context_switches_count current_tasks_count runnable_tasks_count current_workers_count active_workers_count work_queue_count pending_disk_io_count load_factor yield_count total_cpu_usage_ms total_scheduler_delay_ms',
      { scheduler_id: '0', is_online: true },
    ],
    [
      guarded(`DECLARE @PCounters TABLE ([object_name] nvarchar(128), [counter_name] nvarchar(128), [instance_name] nvarchar(128), [cntr_value] bigint, [cntr_type] int
          PRIMARY KEY([object_name], [counter_name], [instance_name]));
        WITH PerfCounters AS (SELECT DISTINCT RTRIM(spi.[object_name]) [object_name], RTRIM(spi.[counter_name]) [counter_name], RTRIM(spi.[instance_name]) AS [instance_name],
            CAST(spi.[cntr_value] AS bigint) AS [cntr_value], spi.[cntr_type] FROM sys.dm_os_performance_counters AS spi
          WHERE counter_name IN ('User Connections','Batch Requests/sec','Processes blocked','Used memory (KB)','Percent Log Used') OR (spi.[object_name] LIKE '%User Settable%' OR spi.[object_name] LIKE '%SQL Errors%')
            OR (spi.[instance_name] IN ('_Total') AND spi.[counter_name] IN ('Lock Timeouts/sec','Number of Deadlocks/sec')))
        INSERT INTO @PCounters SELECT * FROM PerfCounters;
        SELECT 'sqlserver_performance' AS [measurement], pc.[object_name] AS [object], pc.[counter_name] AS [counter], CASE pc.[instance_name] WHEN '_Total' THEN 'Total' ELSE ISNULL(pc.[instance_name],'') END AS [instance],
          CAST(CASE WHEN pc.[cntr_type] = 537003264 AND pc1.[cntr_value] > 0 THEN (pc.[cntr_value] * 1.0) / (pc1.[cntr_value] * 1.0) * 100 ELSE pc.[cntr_value] END AS float(10)) AS [value],
          CAST(pc.[cntr_type] AS varchar(25)) AS [counter_type]
        FROM @PCounters AS pc LEFT OUTER JOIN @PCounters AS pc1 ON (pc.[counter_name] = REPLACE(pc1.[counter_name],' base','') OR pc.[counter_name] = REPLACE(pc1.[counter_name],' base',' (ms)'))
          AND pc.[object_name] = pc1.[object_name] AND pc.[instance_name] = pc1.[instance_name] AND pc1.[counter_name] LIKE '%base'
        WHERE pc.[counter_name] NOT LIKE '% base' OPTION(RECOMPILE)`),
      'measurement object counter instance value counter_type',
      { object: 'SQLServer:General Statistics', counter: 'User Connections' },
    ],
    [
      guarded(`SELECT ws.[wait_type], ws.[wait_time_ms], ws.[wait_time_ms] - ws.[signal_wait_time_ms] AS [resource_wait_ms], ws.[max_wait_time_ms], ws.[waiting_tasks_count], ISNULL(wc.[wait_category],'OTHER') AS [wait_category]
        FROM sys.dm_os_wait_stats AS ws WITH (NOLOCK) LEFT OUTER JOIN (VALUES ('LCK_M_X','Lock'), ('LOGBUFFER','Tran Log IO')) AS wc([wait_type], [wait_category]) ON ws.[wait_type] = wc.[wait_type]
        WHERE ws.[wait_type] NOT IN (N'BROKER_EVENTHANDLER', N'LAZYWRITER_SLEEP') AND [wait_time_ms] > 100 OPTION (RECOMPILE)`),
      'wait_type wait_time_ms resource_wait_ms max_wait_time_ms waiting_tasks_count wait_category',
    ],
    [
      guarded(`BEGIN TRY
        SELECT [session_id], ISNULL([request_id],0) AS [request_id], [blocking_session_id], [status], [statement_text], [stmt_object_name], [query_hash], [session_db_name], [open_transaction]
        FROM (SELECT s.[session_id], r.[request_id], COALESCE(r.[status], s.[status]) AS [status], NULLIF(r.[blocking_session_id],0) AS [blocking_session_id],
            SUBSTRING(qt.[text], r.[statement_start_offset] / 2 + 1, (CASE WHEN r.[statement_end_offset] = -1 THEN DATALENGTH(qt.[text]) ELSE r.[statement_end_offset] END - r.[statement_start_offset]) / 2 + 1) AS [statement_text],
            QUOTENAME(OBJECT_SCHEMA_NAME(qt.[objectid], qt.[dbid])) + '.' + QUOTENAME(OBJECT_NAME(qt.[objectid], qt.[dbid])) AS [stmt_object_name], CONVERT(varchar(20),r.[query_hash],1) AS [query_hash],
            s.[is_user_process], [blocking_or_blocked] = COUNT(*) OVER(PARTITION BY ISNULL(NULLIF(r.[blocking_session_id], 0),s.[session_id])), DB_NAME(COALESCE(r.[database_id], s.[database_id])) AS [session_db_name],
            COALESCE(r.[open_transaction_count], s.[open_transaction_count]) AS [open_transaction]
          FROM sys.dm_exec_sessions AS s LEFT OUTER JOIN sys.dm_exec_requests AS r ON s.[session_id] = r.[session_id] OUTER APPLY sys.dm_exec_sql_text(r.[sql_handle]) AS qt) AS data
        WHERE [blocking_or_blocked] > 1 OR [open_transaction] >= 1 OR ([request_id] IS NOT NULL AND ([is_user_process] = 1 OR [status] COLLATE Latin1_General_BIN NOT IN ('background', 'sleeping')) AND [session_id] <> @@SPID)
        OPTION(MAXDOP 1)
      END TRY BEGIN CATCH IF (ERROR_NUMBER() <> 976) THROW END CATCH`),
      'session_id request_id blocking_session_id status statement_text stmt_object_name query_hash session_db_name open_transaction',
    ],
    [
      guarded(`SELECT DISTINCT SERVERPROPERTY('MachineName') AS [server_name], vs.[volume_mount_point], vs.[total_bytes] AS [total_space_bytes], vs.[total_bytes] - vs.[available_bytes] AS [used_space_bytes]
        FROM sys.master_files AS mf CROSS APPLY sys.dm_os_volume_stats(mf.[database_id], mf.[file_id]) AS vs`),
      'server_name volume_mount_point total_space_bytes used_space_bytes',
    ],
    [
      guarded(`IF SERVERPROPERTY('IsHadrEnabled') = 1 SELECT ar.replica_server_name, ag.name AS group_name, hags.synchronization_health_desc, hars.role_desc FROM sys.dm_hadr_availability_replica_states AS hars
        INNER JOIN sys.availability_replicas AS ar on hars.replica_id = ar.replica_id INNER JOIN sys.availability_groups AS ag on ar.group_id = ag.group_id
        INNER JOIN sys.dm_hadr_availability_group_states AS hags ON hags.group_id = ag.group_id ELSE SELECT 0 AS replicas`),
      'replicas',
      1,
    ],
    [
      guarded(`WITH MostRecentBackups AS (SELECT database_name AS [Database], MAX(bus.backup_finish_date) AS LastBackupTime, CASE bus.type WHEN 'D' THEN 'Full' WHEN 'I' THEN 'Differential' WHEN 'L' THEN 'Transaction Log' END AS Type
          FROM msdb.dbo.backupset bus WHERE bus.type <> 'F' GROUP BY bus.database_name,bus.type),
        BackupsWithSize AS (SELECT mrb.*, CAST((SELECT TOP 1 b.backup_size FROM msdb.dbo.backupset b WHERE [Database] = b.database_name AND LastBackupTime = b.backup_finish_date) AS bigint) AS [backup_size] FROM MostRecentBackups mrb)
        SELECT d.name AS [database_name], d.state_desc AS [state], DATEDIFF(SECOND, {d '1970-01-01'}, DATEADD(MINUTE, 0, bf.LastBackupTime)) AS [last_full_backup_time], bf.backup_size AS [full_backup_size_bytes]
        FROM sys.databases d LEFT JOIN BackupsWithSize bf ON (d.name = bf.[Database] AND (bf.Type = 'Full' OR bf.Type IS NULL)) WHERE d.name <> 'tempdb' AND d.source_database_id IS NULL`),
      'database_name state last_full_backup_time full_backup_size_bytes',
      { database_name: 'master', last_full_backup_time: null },
    ],
    [
      guarded(`SELECT db_name(pvs.database_id) as [database_name], FILEGROUP_NAME(pvs.pvs_filegroup_id) as [filegroup_name], d.snapshot_isolation_state_desc, pvs.persistent_version_store_size_kb, pvs.current_aborted_transaction_count
        FROM sys.dm_tran_persistent_version_store_stats pvs INNER JOIN sys.databases d on d.database_id = pvs.database_id and d.is_accelerated_database_recovery_on = 1`),
      'database_name filegroup_name snapshot_isolation_state_desc persistent_version_store_size_kb current_aborted_transaction_count',
      0,
    ],
    [
      'DECLARE @TimeZoneOffset INT = (SELECT DATEPART(TZOFFSET, SYSDATETIMEOFFSET())); SELECT @TimeZoneOffset AS o',
      'o',
      { o: 0 },
    ],
  ],
};

/** Datadog’s SQL Server check. */
export const datadog: Tool = {
  name: 'Datadog',
  asks: [
    [
      'SELECT login_name AS user_name, COUNT(session_id) AS connections, status, DB_NAME(database_id) AS database_name FROM sys.dm_exec_sessions WHERE is_user_process = 1 GROUP BY login_name, status, DB_NAME(database_id)',
      'user_name connections status database_name',
      { user_name: 'sa', status: 'running' },
    ],
    [
      `SELECT CONVERT(NVARCHAR, TODATETIMEOFFSET(CURRENT_TIMESTAMP, DATEPART(TZOFFSET, SYSDATETIMEOFFSET())), 126) as now, sess.login_name as user_name, sess.session_id as id, req.status as request_status,
         SUBSTRING(qt.text, (req.statement_start_offset / 2) + 1, ((CASE req.statement_end_offset WHEN -1 THEN DATALENGTH(qt.text) ELSE req.statement_end_offset END - req.statement_start_offset) / 2) + 1) AS statement_text,
         SUBSTRING(qt.text, 1, 500) as text, CASE WHEN LEN(qt.text) > 500 THEN RIGHT(qt.text, 200) ELSE '' END AS tail_text, OBJECT_NAME(qt.objectid, sess.database_id) as procedure_name, c.client_tcp_port as client_port, ib.event_info as raw
       FROM sys.dm_exec_sessions sess INNER JOIN sys.dm_exec_connections c ON sess.session_id = c.session_id INNER JOIN sys.dm_exec_requests req ON c.connection_id = req.connection_id
       CROSS APPLY sys.dm_exec_sql_text(req.sql_handle) qt OUTER APPLY sys.dm_exec_input_buffer(req.session_id, req.request_id) ib WHERE sess.session_id != @@spid AND sess.status != 'sleeping'`,
      'now user_name id request_status statement_text text tail_text procedure_name client_port raw',
      0,
    ],
    [
      `SELECT db.database_id AS id, db.name AS name, db.collation_name AS collation, dp.name AS owner FROM sys.databases db LEFT JOIN sys.database_principals dp ON db.owner_sid = dp.sid WHERE db.name IN ('SharePoint_Config', 'master')`,
      'id name collation owner',
      { name: 'master', owner: 'dbo' },
    ],
    [
      `SELECT s.name AS schema_name, s.schema_id AS schema_id, dp.name AS owner_name FROM sys.schemas AS s JOIN sys.database_principals dp ON s.principal_id = dp.principal_id WHERE s.name NOT IN ('sys', 'information_schema')`,
      'schema_name schema_id owner_name',
      { schema_name: 'dbo', owner_name: 'dbo' },
    ],
    [
      `SELECT c.name, t.name as data_type, coalesce(dc.definition, 'None') as "default", c.is_nullable AS nullable FROM sys.columns c INNER JOIN sys.types t ON c.user_type_id = t.user_type_id
       LEFT JOIN sys.default_constraints dc ON c.default_object_id = dc.object_id WHERE c.object_id = object_id('Objects')`,
      'name data_type default nullable',
      { name: 'Id', default: 'None' },
    ],
    [
      "SELECT COUNT(*) AS partition_count FROM sys.partitions WHERE object_id = object_id('Objects') GROUP BY object_id",
      'partition_count',
      1,
    ],
    [
      `SELECT i.name, i.type, i.is_unique, STRING_AGG(CAST(c.name AS NVARCHAR(MAX)), ',') WITHIN GROUP (ORDER BY ic.key_ordinal) AS column_names FROM sys.indexes i JOIN sys.index_columns ic ON i.object_id = ic.object_id AND i.index_id = ic.index_id
       JOIN sys.columns c ON ic.object_id = c.object_id AND ic.column_id = c.column_id WHERE i.object_id = object_id('Objects') GROUP BY i.object_id, i.name, i.type, i.is_unique`,
      'name type is_unique column_names',
      { type: 1, column_names: 'Id' },
    ],
    [
      `SELECT FK.name AS foreign_key_name, STRING_AGG(COL_NAME(FKC.parent_object_id, FKC.parent_column_id),',') AS referencing_column, FK.delete_referential_action_desc AS delete_action FROM tempdb.sys.foreign_keys AS FK
       JOIN tempdb.sys.foreign_key_columns AS FKC ON FK.object_id = FKC.constraint_object_id GROUP BY FK.name, FK.parent_object_id, FK.delete_referential_action_desc`,
      'foreign_key_name referencing_column delete_action',
      { foreign_key_name: 'FK_ToolLine_ToolOrder', referencing_column: 'OrderId', delete_action: 'CASCADE' },
    ],
    [
      `SELECT file_id, CASE type WHEN 0 THEN 'data' WHEN 1 THEN 'transaction_log' ELSE 'other' END AS file_type, physical_name, name, state_desc, ISNULL(size, 0) as size,
         ISNULL(CAST(FILEPROPERTY(name, 'SpaceUsed') as int), 0) as space_used, state FROM sys.database_files`,
      'file_id file_type physical_name name state_desc size space_used state',
      { file_id: 1, file_type: 'data', state_desc: 'ONLINE' },
    ],
    [
      `SELECT DB_NAME(DDIPS.database_id) as database_name, OBJECT_NAME(DDIPS.object_id, DDIPS.database_id) as object_name, DDIPS.index_id as index_id, I.name as index_name, DDIPS.fragment_count, DDIPS.page_count,
         DDIPS.avg_fragmentation_in_percent FROM sys.dm_db_index_physical_stats (DB_ID(),null,null,null,null) as DDIPS INNER JOIN sys.indexes as I WITH (NOLOCK) ON I.object_id = DDIPS.object_id AND DDIPS.index_id = I.index_id`,
      'database_name object_name index_id index_name fragment_count page_count avg_fragmentation_in_percent',
      0,
    ],
    [
      `SELECT DB_NAME(fs.database_id) AS db, mf.state_desc, mf.name, num_of_reads, io_stall FROM sys.dm_io_virtual_file_stats(DB_ID(), NULL) fs LEFT JOIN sys.database_files mf ON mf.file_id = fs.file_id`,
      'db state_desc name num_of_reads io_stall',
    ],
    [
      `SELECT DB_NAME(ixus.database_id) AS db, COALESCE(ind.name, 'HeapIndex_' + OBJECT_NAME(ind.object_id)) AS index_name, ixus.user_seeks, ixus.user_updates FROM sys.indexes ind
       JOIN sys.dm_db_index_usage_stats ixus ON ixus.index_id = ind.index_id AND ixus.object_id = ind.object_id AND ixus.database_id = DB_ID() JOIN sys.objects o ON ind.object_id = o.object_id AND o.type = 'U'`,
      'db index_name user_seeks user_updates',
      0,
    ],
    [
      `SELECT sys.databases.name as db, file_id, physical_name, sys.master_files.state_desc as state_desc, ISNULL(size, 0) as size from sys.master_files right outer join sys.databases on sys.master_files.database_id = sys.databases.database_id`,
      'db file_id physical_name state_desc size',
      { db: 'tempdb', file_id: 1, state_desc: 'ONLINE' },
    ],
    [
      'select scheduler_id, SUM(CAST(context_switches_count AS BIGINT)) as context_switches_count, SUM(CAST(pending_io_count AS BIGINT)) as pending_io_count, AVG(pending_io_byte_average) as pending_io_byte_average from sys.dm_os_tasks group by scheduler_id',
      'scheduler_id context_switches_count pending_io_count pending_io_byte_average',
    ],
    [
      'SELECT (os.ms_ticks/1000) AS [Server Uptime], os.cpu_count AS [CPU Count], (os.physical_memory_kb*1024) AS [Physical Memory Bytes], (os.committed_kb*1024) AS [Total Server Memory Bytes] FROM sys.dm_os_sys_info os',
      'Server_Uptime CPU_Count Physical_Memory_Bytes Total_Server_Memory_Bytes',
      1,
    ],
    [
      `SELECT t.name AS table_name, s.name AS schema_name, SUM(CASE WHEN p.index_id IN (0, 1) THEN p.row_count ELSE 0 END) AS row_count, CAST(SUM(a.total_pages) * 8.0 AS DECIMAL(18,2)) AS total_size
       FROM sys.tables t INNER JOIN sys.schemas s ON t.schema_id = s.schema_id INNER JOIN sys.indexes i ON t.object_id = i.object_id
       INNER JOIN sys.dm_db_partition_stats p ON i.object_id = p.object_id AND i.index_id = p.index_id INNER JOIN sys.allocation_units a ON p.partition_id = a.container_id GROUP BY t.name, s.name`,
      'table_name schema_name row_count total_size',
      { table_name: 'Objects', schema_name: 'dbo' },
    ],
    [
      'SELECT database_id, ISNULL(SUM(unallocated_extent_page_count)*1.0/128, 0) as free_space, ISNULL(SUM(version_store_reserved_page_count)*1.0/128, 0) as used_space_by_version_store FROM sys.dm_db_file_space_usage group by database_id',
      'database_id free_space used_space_by_version_store',
      1,
    ],
    [
      `SELECT sys.databases.name as db, count(backup_set_id) as backup_set_id_count from msdb.dbo.backupset right outer join sys.databases on sys.databases.name = msdb.dbo.backupset.database_name group by sys.databases.name`,
      'db backup_set_id_count',
      { db: 'master', backup_set_id_count: 0 },
    ],
    [
      `with qstats as (select qs.query_hash, qs.last_execution_time, CONCAT(CONVERT(VARCHAR(64), CONVERT(binary(64), qs.plan_handle), 1), CONVERT(VARCHAR(10), CONVERT(varbinary(4), qs.statement_start_offset), 1)) as plan_handle_and_offsets,
         (select value from sys.dm_exec_plan_attributes(qs.plan_handle) where attribute = 'dbid') as dbid, eps.object_id as sproc_object_id, qs.execution_count, qs.total_spills
         from sys.dm_exec_query_stats qs left join sys.dm_exec_procedure_stats eps ON eps.plan_handle = qs.plan_handle)
       select query_hash, CAST(qs.dbid as int) as dbid, D.name as database_name, max(plan_handle_and_offsets) as handle, sum(execution_count) as n from qstats qs left join sys.databases D on qs.dbid = D.database_id
       group by query_hash, qs.dbid, D.name, sproc_object_id`,
      'query_hash dbid database_name handle n',
      0,
    ],
    [
      `SELECT name, value, minimum, value_in_use, is_advanced FROM sys.configurations WHERE name IN ('max degree of parallelism', 'cost threshold for parallelism', 'xp_cmdshell')`,
      'name value minimum value_in_use is_advanced',
      3,
    ],
    [
      "select counter_name, instance_name, object_name, cntr_value from sys.dm_os_performance_counters where counter_name in ('User Connections', 'Total Server Memory (KB)', 'Page life expectancy')",
      'counter_name instance_name object_name cntr_value',
    ],
    [
      'SELECT sj.name, sja.start_execution_date, sjh.run_status FROM msdb.dbo.sysjobactivity sja JOIN msdb.dbo.sysjobs sj ON sj.job_id = sja.job_id LEFT JOIN msdb.dbo.sysjobhistory sjh ON sjh.job_id = sj.job_id WHERE sja.session_id = (SELECT MAX(session_id) FROM msdb.dbo.syssessions)',
      'name start_execution_date run_status',
      0,
    ],
    [
      "SELECT DB_NAME() AS db, SERVERPROPERTY('IsHadrEnabled') AS hadr, CAST(SERVERPROPERTY('ProductMajorVersion') AS int) AS major, @@SERVERNAME AS s",
      'db hadr major s',
      { hadr: 0, major: 16 },
    ],
  ],
};
