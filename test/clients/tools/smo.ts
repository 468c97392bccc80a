import type { Tool } from './asked.ts';

/** What SMO asks beside ssms.ts: every property of the objects that Management Studio and Azure Data Studio list. */
export const smo: Tool = {
  name: 'SMO (property pages, Agent, policies)',
  asks: [
    [
      `declare @group nvarchar(512), @start int = 2
       exec master.dbo.xp_instance_regread N'HKEY_LOCAL_MACHINE', N'SOFTWARE\\Microsoft\\MSSQLServer\\Setup', N'SQLGroup', @group output
       exec master.dbo.xp_instance_regread N'HKEY_LOCAL_MACHINE', N'SOFTWARE', N'Start', @param = @start out, @no_output = N'no_output'
       select isnull(suser_sname(sid_binary(isnull(@group, N''))), N'') as SqlDomainGroup, @start as ServiceStartMode,
         case when 1 = msdb.dbo.fn_syspolicy_is_automation_enabled() and exists (select * from msdb.dbo.syspolicy_system_health_state
           where target_query_expression_with_id like 'Server%') then 1 else 0 end as PolicyHealthState`,
      'SqlDomainGroup ServiceStartMode PolicyHealthState',
      { SqlDomainGroup: '', ServiceStartMode: 2, PolicyHealthState: 0 },
    ],
    [
      `select case c.configuration_id when 124 then (select lcid from sys.syslanguages l where l.langid = c.value_in_use)
           else c.value_in_use end as value,
         case c.configuration_id when 124
           then (select name collate catalog_default from sys.syslanguages l where l.langid = c.value_in_use) end as name
       from sys.configurations c where c.configuration_id in (115, 124, 1126, 1127, 1555) order by c.configuration_id`,
      'value name',
      5,
    ],
    [
      `select t.name, r.remote_table_name as RemoteTableName, isnull(r.migration_direction, 0) as direction, f.directory_name,
         f.is_enabled from sys.tables t left join sys.remote_data_archive_tables r on r.object_id = t.object_id
       left join sys.filetables f on f.object_id = t.object_id where t.name = N'Objects'`,
      'name RemoteTableName direction directory_name is_enabled',
      { name: 'Objects', direction: 0 },
    ],
    [
      `select c.name, isnull(s.label, N'') as label, isnull(s.information_type, N'') as kind, isnull(s.rank_desc, '') as rank
       from sys.columns c left join sys.sensitivity_classifications s on s.major_id = c.object_id and s.minor_id = c.column_id
         and s.class = 1 where c.object_id = object_id(N'dbo.Objects')`,
      'name label kind rank',
      { name: 'Id', label: '' },
    ],
    [
      `select i.name, si.tessellation_scheme, si.bounding_box_xmax, si.level_4_grid_desc, si.cells_per_object, p.path, r.percent_complete
       from sys.indexes i left join sys.spatial_index_tessellations si on si.object_id = i.object_id and si.index_id = i.index_id
       left join sys.selective_xml_index_paths p on p.object_id = i.object_id and p.index_id = i.index_id
       left join sys.index_resumable_operations r on r.object_id = i.object_id and r.index_id = i.index_id
       where i.object_id = object_id(N'dbo.Objects') and i.is_primary_key = 1`,
      'name tessellation_scheme bounding_box_xmax level_4_grid_desc cells_per_object path percent_complete',
      1,
    ],
    [
      `select k.name, cast(case when f.object_id is null then 0 else 1 end as bit) as IsFileTableDefined from sys.key_constraints k
       left join sys.filetable_system_defined_objects f on f.object_id = k.object_id
       where k.parent_object_id = object_id(N'dbo.Objects')`,
      'name IsFileTableDefined',
      { IsFileTableDefined: false },
    ],
    [
      `select x.name, xml_schema_namespace(s.name, x.name) as Text, c.kind_desc from sys.xml_schema_collections x
       join sys.schemas s on s.schema_id = x.schema_id
       left join sys.xml_schema_components c on c.xml_collection_id = x.xml_collection_id where x.schema_id <> 4`,
      'name Text kind_desc',
      0,
    ],
    [
      `select k.name, cast(case when o.key_guid is null then 0 else 1 end as bit) as IsOpen from sys.symmetric_keys k
       left join sys.openkeys o on o.key_guid = k.key_guid and o.database_id = db_id()`,
      'name IsOpen',
      0,
    ],
    [
      `select c.name, fulltextcatalogproperty(c.name, 'ItemCount') as ItemCount, p.property_name from sys.fulltext_catalogs c
       cross join sys.registered_search_properties p`,
      'name ItemCount property_name',
      0,
    ],
    [
      `select name, sys.fn_varbintohexsubstring(0, sid, 1, 0) as SidHexString, master.sys.fn_varbintohexstr(0x0aff) as text
       from sys.server_principals where name = N'sa'`,
      'name SidHexString text',
      { SidHexString: '01', text: '0x0aff' },
    ],
    [
      `select a.name, f.max_rollover_files, f.log_file_path, p.friendly_name, p.asymmetric_key_import from sys.server_audits a
       left join sys.server_file_audits f on f.audit_guid = a.audit_guid cross join sys.dm_cryptographic_provider_properties p`,
      'name max_rollover_files log_file_path friendly_name asymmetric_key_import',
      0,
    ],
    [
      `select g.name, p.name as ExternalResourcePoolName from sys.resource_governor_workload_groups g
       join sys.resource_governor_external_resource_pools p on p.external_pool_id = g.external_pool_id`,
      'name ExternalResourcePoolName',
      0,
    ],
    [
      `select isnull(msdb.smart_admin.fn_is_master_switch_on(), 0) as MasterSwitch,
         (select count(*) from msdb.smart_admin.fn_backup_instance_config() c where c.retention_days > 0) as backups`,
      'MasterSwitch backups',
      { MasterSwitch: false, backups: 0 },
    ],
    [
      `create table #agent (auto_start int null, msx_server_name sysname null, sqlagent_type int null, startup_account nvarchar(255) null,
         sqlserver_restart int null, jobhistory_max_rows int null, jobhistory_max_rows_per_job int null, errorlog_file nvarchar(255) null,
         errorlogging_level int null, error_recipient nvarchar(30) null, monitor_autostart int null, local_host_server sysname null,
         job_shutdown_timeout int null, cmdexec_account varbinary(64) null, regular_connections int null, host_login_name sysname null,
         host_login_password varbinary(512) null, login_timeout int null, idle_cpu_percent int null, idle_cpu_duration int null,
         oem_errorlog int null, sysadmin_only int null, email_profile nvarchar(64) null, email_save_in_sent_folder int null,
         cpu_poller_enabled int null, replace_alert_tokens_enabled int null)
       insert #agent exec msdb.dbo.sp_get_sqlagent_properties
       select auto_start, jobhistory_max_rows from #agent
       drop table #agent`,
      'auto_start jobhistory_max_rows',
      { auto_start: 0, jobhistory_max_rows: -1 },
    ],
    [
      'select name, originating_server, category_id, master_server from msdb.dbo.sysjobs_view',
      'name originating_server category_id master_server',
      0,
    ],
    ["exec msdb.dbo.sp_help_category 'JOB'", 'category_id category_type name', 0],
    ['exec msdb.dbo.sysmail_help_profile_sp', 'profile_id name description', 0],
    [
      'exec msdb.dbo.sp_help_proxy',
      'proxy_id name credential_identity enabled description user_sid credential_id credential_identity_exists',
      0,
    ],
    ['exec master.dbo.sp_enumerrorlogs', 'Archive_# Date Log_File_Size_(Byte)', 0],
    ["exec master.dbo.xp_readerrorlog 0, 1, N'Logging'", 'LogDate ProcessInfo Text', 0],
    [
      `select v.name as LockType, v.number from master.dbo.spt_values v where v.type = N'L' and v.number = 6`,
      'LockType number',
      { LockType: 'X' },
    ],
    ["select number from master..spt_values where type = 'P' and number between 1 and 2047", 'number', 2047],
  ],
};
