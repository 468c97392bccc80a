import type { Tool } from './asked.ts';

/** SQL Server Management Studio: connecting, object explorer and property pages, by way of SMO. */
export const ssms: Tool = {
  name: 'SQL Server Management Studio',
  asks: [
    ["select serverproperty('EngineEdition') as DatabaseEngineEdition", 'DatabaseEngineEdition', 1],
    [
      `declare @edition sysname; set @edition = cast(serverproperty(N'EDITION') as sysname);
       select case when @edition = N'SQL Azure' then 2 else 1 end as DatabaseEngineType,
         serverproperty('EngineEdition') as DatabaseEngineEdition, serverproperty('ProductVersion') as ProductVersion,
         @@microsoftversion as MicrosoftVersion;
       select host_platform from sys.dm_os_host_info;
       if @edition = N'SQL Azure' select 'TCP' as ConnectionProtocol
       else exec('select convert(nvarchar(40), connectionproperty(''net_transport'')) as ConnectionProtocol')`,
      'ConnectionProtocol',
      { ConnectionProtocol: 'TCP' },
    ],
    [
      `select cast(case when has_perms_by_name(null, null, N'VIEW SERVER STATE') = 1 then 1 else 0 end as bit) as state,
         cast(isnull(is_srvrolemember(N'sysadmin'), 0) as bit) as IsSysAdmin, suser_sname() as TrueLogin,
         is_member(N'db_owner') as owner, user_name() as UserName`,
      'state IsSysAdmin TrueLogin owner UserName',
      { IsSysAdmin: true, owner: 1 },
    ],
    [
      `declare @HkeyLocal nvarchar(18), @MSSqlServerRegPath nvarchar(31), @SmoAuditLevel int, @NumErrorLogs int
       set @HkeyLocal = N'HKEY_LOCAL_MACHINE'
       set @MSSqlServerRegPath = N'SOFTWARE\\Microsoft\\MSSQLServer'
       exec master.dbo.xp_instance_regread @HkeyLocal, @MSSqlServerRegPath, N'AuditLevel', @SmoAuditLevel output
       exec master.dbo.xp_instance_regread @HkeyLocal, @MSSqlServerRegPath, N'NumErrorLogs', @NumErrorLogs output, N'no_output'
       select @SmoAuditLevel as AuditLevel, isnull(@NumErrorLogs, -1) as NumberOfLogFiles`,
      'AuditLevel NumberOfLogFiles',
      { NumberOfLogFiles: -1 },
    ],
    [
      `create table #SVer (ID int, Name sysname, Internal_Value int, Value nvarchar(512))
       insert #SVer exec master.dbo.xp_msver
       insert #SVer select t.* from sys.dm_os_host_info cross apply (values (1001, 'host_platform', 0, host_platform),
         (1002, 'host_distribution', 0, host_distribution), (1005, 'host_sku', host_sku, '')) t(id, [name], internal_value, [value])
       select (select Value from #SVer where Name = N'ProductName') as [Product],
         serverproperty(N'ProductVersion') as [VersionString],
         (select Value from #SVer where Name = N'Language') as [Language],
         (select Value from #SVer where Name = N'Platform') as [Platform],
         cast(serverproperty(N'Edition') as sysname) as [Edition],
         (select Internal_Value from #SVer where Name = N'ProcessorCount') as [Processors],
         (select Internal_Value from #SVer where Name = N'PhysicalMemory') as [PhysicalMemory],
         cast(serverproperty('IsClustered') as bit) as [IsClustered],
         cast(serverproperty(N'Collation') as sysname) as [Collation],
         (select Value from #SVer where Name = N'host_platform') as [HostPlatform],
         N'Server[@Name=' + quotename(cast(serverproperty(N'Servername') as sysname), '''') + ']' as [Urn]
       drop table #SVer`,
      'Product VersionString Language Platform Edition Processors PhysicalMemory IsClustered Collation HostPlatform Urn',
      { Product: 'Microsoft SQL Server', Collation: 'Latin1_General_CI_AS_KS_WS' },
    ],
    [
      `select cast(serverproperty(N'Servername') as sysname) as [Server_Name],
         N'Server[@Name=' + quotename(cast(serverproperty(N'Servername') as sysname), '''') + ']/Database[@Name='
           + quotename(dtb.name, '''') + ']' as [Urn], dtb.name as [Name],
         case when dtb.is_read_only = 1 then 1 else 0 end as [ReadOnly], isnull(suser_sname(dtb.owner_sid), '') as [Owner],
         case when db.database_id is null then 1 else 0 end as [IsOther],
         cast(case when dtb.name in ('master','model','msdb','tempdb') then 1 else dtb.is_distributor end as bit) as [IsSystemObject],
         dtb.collation_name as [Collation], dtb.name as [DatabaseName2], dtb.create_date as [CreateDate],
         cast(has_dbaccess(dtb.name) as bit) as [IsAccessible], dtb.recovery_model as [RecoveryModel],
         isnull(dmi.mirroring_state, 0) as [MirroringStatus], dtb.state as [Status],
         cast(isnull((select ds.name from sys.database_mirroring_witnesses w join sys.databases ds on ds.name = w.database_name), N'') as nvarchar(128)) as [Witness]
       from master.sys.databases as dtb
       left outer join sys.databases as db on db.database_id = dtb.database_id
       left outer join sys.database_mirroring as dmi on dmi.database_id = dtb.database_id
       order by [Name] asc`,
      'Server_Name Urn Name ReadOnly Owner IsOther IsSystemObject Collation DatabaseName2 CreateDate IsAccessible RecoveryModel MirroringStatus Status Witness',
      { Name: 'master', IsSystemObject: true, IsAccessible: true, Status: 0 },
    ],
    [
      `select dtb.name as [Database_Name], 'Server/Database[@Name=' + quotename(dtb.name, '''') + ']' as [Database_Urn],
         case lower(convert(nvarchar(128), databasepropertyex(dtb.name, 'Updateability'))) when 'read_write' then 1 else 0 end as [Database_Writable],
         cast(databasepropertyex(dtb.name, 'Version') as int) as [Database_Version], dtb.containment as [ContainmentType],
         dtb.compatibility_level as [CompatibilityLevel], dtb.is_query_store_on as [QueryStore]
       from master.sys.databases as dtb where dtb.state = 0 order by [Database_Name] asc`,
      'Database_Name Database_Urn Database_Writable Database_Version ContainmentType CompatibilityLevel QueryStore',
      { Database_Name: 'tempdb', Database_Writable: 1 },
    ],
    [
      `select schema_name(tbl.schema_id) as [Schema], tbl.name as [Name], tbl.object_id as [ID], tbl.create_date as [CreateDate],
         cast(case when tbl.is_ms_shipped = 1 then 1 when (select major_id from sys.extended_properties where major_id = tbl.object_id
           and minor_id = 0 and class = 1 and name = N'microsoft_database_tools_support') is not null then 1 else 0 end as bit) as [IsSystemObject],
         cast(tbl.is_memory_optimized as bit) as [IsMemoryOptimized], tbl.temporal_type as [TemporalType],
         cast(tbl.is_node as bit) as [IsNode], cast(tbl.is_edge as bit) as [IsEdge], tbl.ledger_type as [LedgerType],
         cast(tbl.is_external as bit) as [IsExternal], cast(tbl.is_filetable as bit) as [IsFileTable]
       from sys.tables as tbl where (cast(case when tbl.is_ms_shipped = 1 then 1 else 0 end as bit) = 0)
       order by [Schema] asc, [Name] asc`,
      'Schema Name ID CreateDate IsSystemObject IsMemoryOptimized TemporalType IsNode IsEdge LedgerType IsExternal IsFileTable',
      { Schema: 'dbo', Name: 'Objects', IsSystemObject: false, TemporalType: 0, LedgerType: 0 },
    ],
    [
      `select clmns.name as [Name], clmns.column_id as [ID], clmns.is_nullable as [Nullable], clmns.is_computed as [Computed],
         cast(isnull(cik.index_column_id, 0) as bit) as [InPrimaryKey], clmns.is_ansi_padded as [AnsiPaddingStatus],
         cast(clmns.is_rowguidcol as bit) as [RowGuidCol], cast(isnull(cc.is_persisted, 0) as bit) as [IsPersisted],
         isnull(clmns.collation_name, N'') as [Collation], cast(isnull((select top 1 1 from sys.foreign_key_columns as colfk
           where colfk.parent_column_id = clmns.column_id and colfk.parent_object_id = clmns.object_id), 0) as bit) as [IsForeignKey],
         clmns.is_identity as [Identity], cast(isnull(ic.seed_value, 0) as numeric(38)) as [IdentitySeedAsDecimal],
         usrt.name as [DataType], s1clmns.name as [DataTypeSchema], isnull(baset.name, N'') as [SystemType],
         cast(case when baset.name in (N'nchar', N'nvarchar') and clmns.max_length <> -1 then clmns.max_length / 2 else clmns.max_length end as int) as [Length],
         cast(clmns.precision as int) as [NumericPrecision], cast(clmns.scale as int) as [NumericScale], isnull(xscclmns.name, N'') as [XmlSchemaNamespace],
         (case when clmns.default_object_id = 0 then N'' when d.parent_object_id > 0 then N'' else d.name end) as [Default],
         (case when clmns.rule_object_id = 0 then N'' else r.name end) as [Rule], clmns.is_dropped_ledger_column as [Dropped]
       from sys.tables as tbl inner join sys.all_columns as clmns on clmns.object_id = tbl.object_id
       left outer join sys.indexes as ik on ik.object_id = clmns.object_id and 1 = ik.is_primary_key
       left outer join sys.index_columns as cik on cik.index_id = ik.index_id and cik.column_id = clmns.column_id and cik.object_id = clmns.object_id and 0 = cik.is_included_column
       left outer join sys.computed_columns as cc on cc.object_id = clmns.object_id and cc.column_id = clmns.column_id
       left outer join sys.identity_columns as ic on ic.object_id = clmns.object_id and ic.column_id = clmns.column_id
       left outer join sys.types as usrt on usrt.user_type_id = clmns.user_type_id
       left outer join sys.schemas as s1clmns on s1clmns.schema_id = usrt.schema_id
       left outer join sys.types as baset on (baset.user_type_id = clmns.system_type_id and baset.user_type_id = baset.system_type_id)
         or ((baset.system_type_id = clmns.system_type_id) and (baset.user_type_id = clmns.user_type_id) and (baset.is_user_defined = 0) and (baset.is_assembly_type = 1))
       left outer join sys.xml_schema_collections as xscclmns on xscclmns.xml_collection_id = clmns.xml_collection_id
       left outer join sys.objects as d on d.object_id = clmns.default_object_id
       left outer join sys.objects as r on r.object_id = clmns.rule_object_id
       where (tbl.name = N'Objects' and schema_name(tbl.schema_id) = N'dbo') order by [ID] asc`,
      'Name ID Nullable Computed InPrimaryKey AnsiPaddingStatus RowGuidCol IsPersisted Collation IsForeignKey Identity IdentitySeedAsDecimal DataType DataTypeSchema SystemType Length NumericPrecision NumericScale XmlSchemaNamespace Default Rule Dropped',
      { Name: 'Id', InPrimaryKey: true, DataType: 'uniqueidentifier', DataTypeSchema: 'sys' },
    ],
    [
      `select i.name as [Name], cast(i.index_id as int) as [ID], cast(objectproperty(i.object_id, N'IsMSShipped') as bit) as [IsSystemObject],
         case when i.is_primary_key = 1 then 1 when i.is_unique_constraint = 1 then 2 else 0 end as [IndexKeyType],
         i.is_unique as [IsUnique], cast(case i.index_id when 1 then 1 else 0 end as bit) as [IsClustered],
         case when ((i.type = 1 or i.type = 2) and i.filter_definition is not null) then 1 else 0 end as [HasFilter],
         cast(isnull(spi.spatial_index_type, 0) as tinyint) as [SpatialIndexType],
         cast(isnull(hi.bucket_count, 0) as int) as [BucketCount], i.optimize_for_sequential_key as [Sequential],
         i.auto_created as [AutoCreated], i.compression_delay as [CompressionDelay], i.suppress_dup_key_messages as [Quiet]
       from sys.tables as tbl inner join sys.indexes as i on (i.index_id > 0 and i.is_hypothetical = 0) and (i.object_id = tbl.object_id)
       left outer join sys.spatial_indexes as spi on i.object_id = spi.object_id and i.index_id = spi.index_id
       left outer join sys.hash_indexes as hi on i.object_id = hi.object_id and i.index_id = hi.index_id
       where tbl.name = N'Objects' and schema_name(tbl.schema_id) = N'dbo' order by [Name] asc`,
      'Name ID IsSystemObject IndexKeyType IsUnique IsClustered HasFilter SpatialIndexType BucketCount Sequential AutoCreated CompressionDelay Quiet',
      { ID: 1, IndexKeyType: 1, IsUnique: true, IsClustered: true },
    ],
    [
      `select cstr.name as [Name], cstr.is_not_trusted as [Trust], cstr.is_disabled as [Enabled], ctmp.name as [Column], cstr.definition as [Text]
       from sys.tables as tbl inner join sys.check_constraints as cstr on cstr.parent_object_id = tbl.object_id
       left outer join sys.columns as ctmp on ctmp.object_id = cstr.parent_object_id and ctmp.column_id = cstr.parent_column_id`,
      'Name Trust Enabled Column Text',
    ],
    [
      `select tr.name as [Name], tr.object_id as [ID], ~ tr.is_disabled as [IsEnabled], case when tr.type = N'TR' then 1 else 2 end as [Kind],
         cast(case when isnull(smtr.definition, ssmtr.definition) is null then 1 else 0 end as bit) as [IsEncrypted],
         (select count(*) from sys.trigger_events te where te.object_id = tr.object_id and te.type_desc = 'INSERT') as [Insert]
       from sys.tables as tbl inner join sys.objects as o on o.parent_object_id = tbl.object_id and o.type = 'TR'
       inner join sys.triggers as tr on tr.object_id = o.object_id
       left outer join sys.sql_modules as smtr on smtr.object_id = tr.object_id
       left outer join sys.system_sql_modules as ssmtr on ssmtr.object_id = tr.object_id`,
      'Name ID IsEnabled Kind IsEncrypted Insert',
      0,
    ],
    [
      `select st.name as [Name], st.stats_id as [ID], st.auto_created as [IsAutoCreated], st.no_recompute as [NoAutomaticRecomputation],
         cast(isnull(index_id, 0) as bit) as [IsFromIndexCreation], stats_date(st.object_id, st.stats_id) as [LastUpdated],
         st.is_incremental as [IsIncremental], st.has_persisted_sample as [Sample], st.stats_generation_method_desc as [Method]
       from sys.tables as tbl inner join sys.stats st on st.object_id = tbl.object_id
       left outer join sys.indexes i on i.object_id = st.object_id and i.name = st.name
       where tbl.name = N'Objects' order by [ID]`,
      'Name ID IsAutoCreated NoAutomaticRecomputation IsFromIndexCreation LastUpdated IsIncremental Sample Method',
      { ID: 1, IsAutoCreated: false, IsFromIndexCreation: true },
    ],
    [
      `select v.name as [Name], schema_name(v.schema_id) as [Schema], v.object_id as [ID], v.is_dropped_ledger_view as [Dropped],
         cast(case when isnull(smv.definition, ssmv.definition) is null then 1 else 0 end as bit) as [IsEncrypted], v.ledger_view_type as [Ledger]
       from sys.all_views as v left outer join sys.sql_modules as smv on smv.object_id = v.object_id
       left outer join sys.system_sql_modules as ssmv on ssmv.object_id = v.object_id
       where v.type = N'V' and v.is_ms_shipped = 1 order by [Schema], [Name]`,
      'Name Schema ID Dropped IsEncrypted Ledger',
      { Name: 'all_objects', Schema: 'sys' },
    ],
    [
      `select schema_name(sp.schema_id) as [Schema], sp.name as [Name], sp.object_id as [ID],
         cast(case when isnull(smsp.definition, ssmsp.definition) is null then 1 else 0 end as bit) as [IsEncrypted],
         cast(isnull(smsp.is_recompiled, ssmsp.is_recompiled) as bit) as [Recompile],
         case when isnull(smsp.execute_as_principal_id, ssmsp.execute_as_principal_id) is null then 1 else 2 end as [ExecutionContext],
         case when sp.type = N'P' then 1 when sp.type = N'PC' then 2 else 1 end as [ImplementationType],
         smsp.inline_type as [Inlined], smsp.is_inlineable as [Inlineable]
       from sys.all_objects as sp left outer join sys.sql_modules as smsp on smsp.object_id = sp.object_id
       left outer join sys.system_sql_modules as ssmsp on ssmsp.object_id = sp.object_id
       where (sp.type = N'P' or sp.type = N'RF' or sp.type = N'PC') and (cast(case when sp.is_ms_shipped = 1 then 1 else 0 end as bit) = 0)
       order by [Schema], [Name]`,
      'Schema Name ID IsEncrypted Recompile ExecutionContext ImplementationType Inlined Inlineable',
      { Name: 'proc_getObject', ImplementationType: 1, IsEncrypted: false },
    ],
    [
      `select param.name as [Name], param.parameter_id as [ID], param.default_value as [DefaultValue], usrt.name as [DataType],
         sparam.name as [DataTypeSchema], isnull(baset.name, N'') as [SystemType],
         cast(case when baset.name in (N'nchar', N'nvarchar') and param.max_length <> -1 then param.max_length / 2 else param.max_length end as int) as [Length],
         cast(param.precision as int) as [NumericPrecision], param.is_output as [IsOutputParameter], param.is_cursor_ref as [IsCursor],
         param.is_readonly as [IsReadOnly]
       from sys.all_objects as sp inner join sys.all_parameters as param on param.object_id = sp.object_id
       left outer join sys.types as usrt on usrt.user_type_id = param.user_type_id
       left outer join sys.schemas as sparam on sparam.schema_id = usrt.schema_id
       left outer join sys.types as baset on baset.user_type_id = param.system_type_id and baset.user_type_id = baset.system_type_id
       where sp.name = N'proc_getObject' and schema_name(sp.schema_id) = N'dbo' order by [ID]`,
      'Name ID DefaultValue DataType DataTypeSchema SystemType Length NumericPrecision IsOutputParameter IsCursor IsReadOnly',
      { ID: 1, IsOutputParameter: false },
    ],
    [
      `select u.name as [Name], u.principal_id as [ID], isnull(suser_sname(u.sid), N'') as [Login], u.default_schema_name as [DefaultSchema],
         case when u.type = N'S' then 0 when u.type = N'C' then 1 else 3 end as [UserType], u.authentication_type as [AuthenticationType],
         cast(case dp.state when N'G' then 1 when 'W' then 1 else 0 end as bit) as [HasDBAccess], u.create_date as [CreateDate]
       from sys.database_principals as u
       left outer join sys.database_permissions as dp on dp.grantee_principal_id = u.principal_id and dp.type = 'CO'
       where u.type in ('U', 'S', 'G', 'C', 'K', 'E', 'X') order by [Name]`,
      'Name ID Login DefaultSchema UserType AuthenticationType HasDBAccess CreateDate',
      { Name: 'dbo', Login: 'sa', HasDBAccess: true },
    ],
    [
      `select rl.name as [Name], rl.principal_id as [ID], rl.is_fixed_role as [IsFixedRole], ou.name as [Owner],
         (select count(*) from sys.database_role_members m where m.role_principal_id = rl.principal_id) as [Members]
       from sys.database_principals as rl left outer join sys.database_principals as ou on ou.principal_id = rl.owning_principal_id
       where rl.type = 'R' order by [Name]`,
      'Name ID IsFixedRole Owner Members',
      { Name: 'db_ddladmin', IsFixedRole: true, Owner: 'dbo' },
    ],
    [
      `select log.name as [Name], log.principal_id as [ID], log.type as [Type], log.is_disabled as [IsDisabled], log.sid as [Sid],
         isnull(log.default_database_name, N'') as [DefaultDatabase], sl.is_policy_checked as [Policy], sl.is_expiration_checked as [Expiration],
         cast(case when sp.state is null then 0 else 1 end as bit) as [HasAccess], loginproperty(log.name, N'IsLocked') as [IsLocked],
         cast(isnull(loginproperty(log.name, 'IsExpired'), 0) as bit) as [IsPasswordExpired], cast(isnull(loginproperty(log.name, 'IsMustChange'), 0) as bit) as [MustChangePassword],
         isnull(c.name, N'') as [Credential]
       from sys.server_principals as log left outer join sys.sql_logins as sl on sl.principal_id = log.principal_id
       left outer join sys.credentials as c on c.credential_id = log.credential_id
       left outer join sys.server_permissions as sp on sp.grantee_principal_id = log.principal_id and sp.type = N'COSQ'
       where log.type in ('U', 'G', 'S', 'C', 'K') and log.principal_id not between 101 and 255 order by [Name]`,
      'Name ID Type IsDisabled Sid DefaultDatabase Policy Expiration HasAccess IsLocked IsPasswordExpired MustChangePassword Credential',
      { Name: 'sa', ID: 1, HasAccess: true, DefaultDatabase: 'master' },
    ],
    [
      `select r.name as [Name], r.principal_id as [ID], r.is_fixed_role as [IsFixedRole], suser_sname(r.sid) as [Sid]
       from sys.server_principals r where r.type = 'R' order by r.name`,
      'Name ID IsFixedRole Sid',
      { Name: 'dbcreator', IsFixedRole: true },
    ],
    [
      `select srv.name as [Name], cast(srv.server_id as int) as [ID], isnull(srv.catalog, N'') as [Catalog], srv.is_linked as [IsLinked]
       from sys.servers as srv where (srv.server_id != 0)`,
      'Name ID Catalog IsLinked',
      0,
    ],
    [
      `select gdf.name as [Name], gdf.physical_name as [FileName], cast(gdf.size * convert(float, 8) as float) as [Size],
         cast(fileproperty(gdf.name, 'SpaceUsed') * convert(float, 8) as float) as [UsedSpace], gdf.file_id as [ID],
         case when gdf.is_percent_growth = 1 then gdf.growth else gdf.growth * 8 end as [Growth], g.name as [FileGroup],
         case gdf.max_size when -1 then -1 else gdf.max_size * 8.0 end as [MaxSize], gdf.state as [State]
       from sys.filegroups as g inner join sys.database_files as gdf on gdf.type = 0 and gdf.data_space_id = g.data_space_id order by [ID]`,
      'Name FileName Size UsedSpace ID Growth FileGroup MaxSize State',
      { ID: 1, FileGroup: 'PRIMARY', State: 0 },
    ],
    [
      `select s.name as [Name], s.physical_name as [FileName], s.size * convert(float, 8) as [Size], s.file_id as [ID]
       from sys.master_files as s where s.type = 1 and s.database_id = db_id() order by [ID]`,
      'Name FileName Size ID',
      { ID: 2 },
    ],
    [
      `select g.name as [Name], cast(g.is_default as bit) as [IsDefault], g.data_space_id as [ID], g.is_read_only as [ReadOnly],
         g.type as [FileGroupType], g.is_autogrow_all_files as [AutogrowAllFiles] from sys.filegroups as g order by [Name]`,
      'Name IsDefault ID ReadOnly FileGroupType AutogrowAllFiles',
      { Name: 'PRIMARY', IsDefault: true, ID: 1 },
    ],
    [
      `select cast(case when 'a' <> 'A' then 1 else 0 end as bit) as [CaseSensitive], collationproperty(dtb.collation_name, 'LCID') as [Lcid],
         isnull((select sum(cast(df.size as float)) from sys.database_files as df where df.type in (0, 2, 4)), 0) * 8 as [DataSpaceKb],
         (select sum(cast(a.used_pages as float)) from sys.allocation_units a) as [UsedPages],
         (select sum(case when it.internal_type in (202, 204) then 0 when p.index_id < 2 then a.data_pages else 0 end)
          from sys.partitions p join sys.allocation_units a on p.partition_id = a.container_id
          left join sys.internal_tables it on p.object_id = it.object_id) as [DataPages]
       from master.sys.databases as dtb where dtb.name = db_name()`,
      'CaseSensitive Lcid DataSpaceKb UsedPages DataPages',
      { CaseSensitive: false, Lcid: 1033 },
    ],
    [
      `select tbl.name, sum(ps.row_count) as [RowCount], sum(ps.reserved_page_count) * 8 as [ReservedKb], sum(ps.used_page_count) * 8 as [UsedKb]
       from sys.tables tbl join sys.dm_db_partition_stats ps on ps.object_id = tbl.object_id and ps.index_id < 2
       where tbl.name = N'Objects' group by tbl.name`,
      'name RowCount ReservedKb UsedKb',
      1,
    ],
    [
      `select st.name as [Name], sst.name as [Schema], st.user_type_id as [ID], baset.name as [SystemType], st.is_nullable as [Nullable]
       from sys.types as st inner join sys.schemas as sst on sst.schema_id = st.schema_id
       left outer join sys.types as baset on baset.user_type_id = st.system_type_id and baset.user_type_id = baset.system_type_id
       where st.schema_id != 4 and st.system_type_id != 240 and st.user_type_id != st.system_type_id and st.is_table_type != 1`,
      'Name Schema ID SystemType Nullable',
      0,
    ],
    [
      `select tt.name as [Name], stt.name as [Schema], tt.user_type_id as [ID], obj.create_date as [CreateDate]
       from sys.table_types as tt inner join sys.schemas as stt on stt.schema_id = tt.schema_id
       inner join sys.objects as obj on obj.object_id = tt.type_table_object_id`,
      'Name Schema ID CreateDate',
      0,
    ],
    [
      `select sequenceobject.name as [Name], schema_name(sequenceobject.schema_id) as [Schema], sequenceobject.start_value,
         sequenceobject.current_value, sequenceobject.is_cached, sequenceobject.last_used_value from sys.sequences sequenceobject`,
      'Name Schema start_value current_value is_cached last_used_value',
      0,
    ],
    [
      `select s.name as [Name], s.principal_id as [ID], suser_sname(dp.sid) as [Owner], cast(case when s.name in ('dbo', 'guest', 'INFORMATION_SCHEMA', 'sys') then 1 else 0 end as bit) as [System]
       from sys.schemas s left join sys.database_principals dp on dp.principal_id = s.principal_id order by s.name`,
      'Name ID Owner System',
      { Name: 'db_owner', System: false },
    ],
    [
      `create table #permissions (entity_name nvarchar(257), subentity_name sysname, permission_name nvarchar(60))
       insert #permissions select * from sys.fn_my_permissions(null, 'SERVER')
       select count(*) as granted from #permissions where permission_name = 'CONNECT SQL'
       drop table #permissions`,
      'granted',
      { granted: 1 },
    ],
    [
      `select ep.name as [Name], ep.endpoint_id as [ID], ep.protocol as [ProtocolType], ep.type as [EndpointType], ep.state as [EndpointState], t.port, t.is_dynamic_port
       from sys.endpoints ep left join sys.tcp_endpoints t on t.endpoint_id = ep.endpoint_id`,
      'Name ID ProtocolType EndpointType EndpointState port is_dynamic_port',
      { Name: 'TSQL Default TCP', ID: 4, EndpointState: 0 },
    ],
    [
      `select j.job_id, j.name, j.enabled, c.name as category, suser_sname(j.owner_sid) as owner from msdb.dbo.sysjobs_view j
       left join msdb.dbo.syscategories c on c.category_id = j.category_id`,
      'job_id name enabled category owner',
      0,
    ],
    [
      `select top 1 b.backup_finish_date, b.type, b.backup_size, m.physical_device_name from msdb..backupset b
       join msdb..backupmediafamily m on m.media_set_id = b.media_set_id where b.database_name = db_name() order by b.backup_finish_date desc`,
      'backup_finish_date type backup_size physical_device_name',
      0,
    ],
    [
      `select s.session_id, s.login_name, s.status, s.program_name, r.command, r.wait_type, isnull(r.blocking_session_id, 0) as blocked,
         w.wait_duration_ms, w.resource_description, t.task_state, st.text
       from sys.dm_exec_sessions s left join sys.dm_exec_requests r on r.session_id = s.session_id
       left join sys.dm_os_tasks t on t.session_id = r.session_id and t.request_id = r.request_id
       left join sys.dm_os_waiting_tasks w on w.session_id = s.session_id
       outer apply sys.dm_exec_sql_text(r.sql_handle) st where s.session_id = @@spid`,
      'session_id login_name status program_name command wait_type blocked wait_duration_ms resource_description task_state text',
      { login_name: 'sa', status: 'running' },
    ],
    [
      `select o.name, o.type, d.referencing_minor_id, d.is_schema_bound_reference from sys.sql_expression_dependencies d
       join sys.objects o on o.object_id = d.referencing_id where d.referenced_id = object_id(N'dbo.Objects')`,
      'name type referencing_minor_id is_schema_bound_reference',
      0,
    ],
    ["exec sp_helpdb 'master'", 'name fileid filename filegroup size maxsize growth usage', { fileid: 1 }],
    [
      'exec sp_helpuser',
      'UserName RoleName LoginName DefDBName DefSchemaName UserID SID',
      { UserName: 'dbo', LoginName: 'sa' },
    ],
    ['exec sp_helprolemember', 'DbRole MemberName MemberSID', { DbRole: 'db_owner', MemberName: 'dbo' }],
    [
      "exec sp_helpsrvrolemember 'sysadmin'",
      'ServerRole MemberName MemberSID',
      { ServerRole: 'sysadmin', MemberName: 'sa' },
    ],
    ['exec sp_helpfile', 'name fileid filename filegroup size maxsize growth usage', 2],
    ['exec sp_helpfilegroup', 'groupname groupid filecount', { groupname: 'PRIMARY', groupid: 1, filecount: 1 }],
    ["exec sp_spaceused N'dbo.Objects'", 'name rows reserved data index_size unused', { name: 'Objects' }],
    [
      "exec sp_spaceused @updateusage = N'FALSE', @oneresultset = 1",
      'database_name database_size unallocated_space reserved data index_size unused',
      1,
    ],
    [
      "exec sp_helpconstraint N'dbo.Objects', 'nomsg'",
      'constraint_type constraint_name delete_action update_action status_enabled status_for_replication constraint_keys',
      { constraint_type: 'PRIMARY KEY (clustered)', constraint_keys: 'Id' },
    ],
    [
      "exec sp_helptrigger N'dbo.Objects'",
      'trigger_name trigger_owner isupdate isdelete isinsert isafter isinsteadof trigger_schema',
      0,
    ],
  ],
};
