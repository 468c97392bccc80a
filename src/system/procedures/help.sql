-- Procedures of SQL Server that are T-SQL over its views here too. A block is: the names and what it does; the parameters, each
-- with a default or required; the columns of what it returns, one way or another; the statements. Columns by Microsoft’s documentation
-- where it gives them; those of sp_helpconstraint, sp_helpgroup, sp_helpsort, sp_monitor and sp_MShasdbaccess are from memory.
go
-- sp_helpdb: Describes all databases, or one with its files.
-- @dbname sysname = null: The database; without it, all.
-- returns name sysname, db_size nvarchar(13)?, owner sysname?, dbid smallint, created nvarchar(11), status nvarchar(600), compatibility_level tinyint
-- returns name sysname, db_size nvarchar(13)?, owner sysname?, dbid smallint, created nvarchar(11), status nvarchar(600), compatibility_level tinyint
-- and name nchar(128), fileid smallint, filename nchar(260), filegroup nvarchar(128)?, size nvarchar(18), maxsize nvarchar(18),
--   growth nvarchar(18), usage varchar(9)
if left(@dbname, 1) in ('[', '"') set @dbname = parsename(@dbname, 1)
if @dbname is not null and db_id(@dbname) is null raiserror(15010, 16, -1, @dbname)
else
begin
  select d.name as name, right(space(10) + convert(nvarchar(10), convert(decimal(10, 2), sum(convert(bigint, f.size)) / 128.0)), 10) + N' MB' as db_size,
    suser_sname(d.owner_sid) as owner, d.database_id as dbid, convert(nvarchar(11), d.create_date) as created,
    N'Status=' + d.state_desc + N', Updateability=READ_WRITE, UserAccess=MULTI_USER, Recovery=FULL, Collation=' + d.collation_name as status,
    d.compatibility_level as compatibility_level
  from sys.databases d left join sys.master_files f on f.database_id = d.database_id where @dbname is null or d.name = @dbname
  group by d.name, d.owner_sid, d.database_id, d.create_date, d.state_desc, d.collation_name, d.compatibility_level order by d.name
  if @dbname is not null
    select name as name, file_id as fileid, physical_name as filename, case type when 0 then N'PRIMARY' end as filegroup,
      convert(nvarchar(15), convert(bigint, size) * 8) + N' KB' as size, N'Unlimited' as maxsize,
      convert(nvarchar(15), convert(bigint, growth) * 8) + N' KB' as growth, case type when 0 then 'data only' else 'log only' end as usage
    from sys.master_files where database_id = db_id(@dbname)
end
go
-- sp_helpuser: Lists the users of the database with their roles, or the members of a role.
-- @name_in_db sysname = null: A user or a role; without it, all users.
-- returns UserName sysname?, RoleName sysname?, LoginName sysname?, DefDBName sysname?, DefSchemaName sysname?, UserID char(10)?,
--   SID varbinary(85)?
-- returns Role_name sysname, Role_id char(10), Users_in_role sysname, Userid char(10)
if exists (select 1 from sys.database_principals where name = @name_in_db and type = 'R')
  select r.name as Role_name, r.principal_id as Role_id, m.name as Users_in_role, m.principal_id as Userid
  from sys.database_principals r join sys.database_role_members x on x.role_principal_id = r.principal_id
  join sys.database_principals m on m.principal_id = x.member_principal_id where r.name = @name_in_db
else if @name_in_db is not null and not exists (select 1 from sys.database_principals where name = @name_in_db)
  raiserror(15198, 16, -1, @name_in_db)
else
  select u.name as UserName, isnull(r.name, N'public') as RoleName, l.name as LoginName, l.default_database_name as DefDBName,
    u.default_schema_name as DefSchemaName, u.principal_id as UserID, u.sid as SID
  from sys.database_principals u left join sys.database_role_members x on x.member_principal_id = u.principal_id
  left join sys.database_principals r on r.principal_id = x.role_principal_id left join sys.server_principals l on l.sid = u.sid
  where u.type <> 'R' and (@name_in_db is null or u.name = @name_in_db) order by u.name
go
-- sp_helprole: Lists the roles of the database.
-- @rolename sysname = null: A role; without it, all.
-- returns RoleName sysname, RoleId smallint, IsAppRole int
if @rolename is not null and not exists (select 1 from sys.database_principals where name = @rolename and type = 'R')
  raiserror(15409, 16, -1, @rolename)
else
  select name as RoleName, principal_id as RoleId, 0 as IsAppRole from sys.database_principals
  where type = 'R' and (@rolename is null or name = @rolename)
go
-- sp_helpntgroup: Lists the Windows groups that are users of the database.
-- @ntname sysname = null: One of them; without it, all.
-- returns NTGroupName sysname, NTGroupId smallint, sid varbinary(85), HasDbAccess int
select name as NTGroupName, principal_id as NTGroupId, sid as sid, 1 as HasDbAccess
from sys.database_principals where type = 'G' and (@ntname is null or name = @ntname) order by name
go
-- sp_helprolemember: Lists the members of roles of the database.
-- @rolename sysname = null: A role; without it, all.
-- returns DbRole sysname, MemberName sysname, MemberSID varbinary(85)?
if @rolename is not null and not exists (select 1 from sys.database_principals where name = @rolename and type = 'R')
  raiserror(15409, 16, -1, @rolename)
else
  select r.name as DbRole, m.name as MemberName, m.sid as MemberSID from sys.database_role_members x
  join sys.database_principals r on r.principal_id = x.role_principal_id
  join sys.database_principals m on m.principal_id = x.member_principal_id
  where @rolename is null or r.name = @rolename order by r.name, m.name
go
-- sp_helpdbfixedrole: Lists the roles that every database has.
-- @rolename sysname = null: A role; without it, all.
-- returns DbFixedRole sysname, Description nvarchar(70)
select r.name as DbFixedRole, v.text as Description from sys.database_principals r join (values (N'db_owner', N'DB Owners'),
  (N'db_accessadmin', N'DB Access Administrators'), (N'db_securityadmin', N'DB Security Administrators'),
  (N'db_ddladmin', N'DB DDL Administrators'), (N'db_backupoperator', N'DB Backup Operator'), (N'db_datareader', N'DB Data Reader'),
  (N'db_datawriter', N'DB Data Writer'), (N'db_denydatareader', N'DB Deny Data Reader'),
  (N'db_denydatawriter', N'DB Deny Data Writer')) v(name, text) on v.name = r.name
where r.is_fixed_role = 1 and (@rolename is null or r.name = @rolename)
go
-- sp_helpsrvrole: Lists the roles of the server.
-- @srvrolename sysname = null: A role; without it, all.
-- returns ServerRole sysname, Description sysname
if @srvrolename is not null and not exists (select 1 from sys.server_principals where name = @srvrolename and is_fixed_role = 1)
  raiserror(15412, 16, -1, @srvrolename)
else
  select r.name as ServerRole, v.text as Description from sys.server_principals r
  join (values (N'sysadmin', N'System Administrators'), (N'securityadmin', N'Security Administrators'),
    (N'serveradmin', N'Server Administrators'), (N'setupadmin', N'Setup Administrators'), (N'processadmin', N'Process Administrators'),
    (N'diskadmin', N'Disk Administrators'), (N'dbcreator', N'Database Creators'), (N'bulkadmin', N'Bulk Insert Administrators'))
    v(name, text) on v.name = r.name
  where @srvrolename is null or r.name = @srvrolename
go
-- sp_helpsrvrolemember: Lists the members of roles of the server.
-- @srvrolename sysname = null: A role; without it, all.
-- returns ServerRole sysname, MemberName sysname, MemberSID varbinary(85)?
if @srvrolename is not null and not exists (select 1 from sys.server_principals where name = @srvrolename and is_fixed_role = 1)
  raiserror(15412, 16, -1, @srvrolename)
else
  select r.name as ServerRole, m.name as MemberName, m.sid as MemberSID from sys.server_role_members x
  join sys.server_principals r on r.principal_id = x.role_principal_id
  join sys.server_principals m on m.principal_id = x.member_principal_id
  where @srvrolename is null or r.name = @srvrolename order by r.name, m.name
go
-- sp_helplogins: Lists the logins, and the users that they are in the current database.
-- @LoginNamePattern sysname = null: A login; without it, all.
-- returns LoginName sysname?, SID varbinary(85)?, DefDBName sysname?, DefLangName sysname?, AUser char(5)?, ARemote char(7)?
-- and LoginName sysname?, DBName sysname?, UserName sysname?, UserOrAlias char(8)?
select name as LoginName, sid as SID, default_database_name as DefDBName, default_language_name as DefLangName,
  case when exists (select 1 from sys.database_principals d where d.sid = p.sid) then 'yes' else 'NO' end as AUser, 'no' as ARemote
from sys.server_principals p where type in ('S', 'U', 'G') and (@LoginNamePattern is null or name = @LoginNamePattern)
select p.name as LoginName, db_name() as DBName, d.name as UserName, 'User' as UserOrAlias
from sys.server_principals p join sys.database_principals d on d.sid = p.sid
where p.type in ('S', 'U', 'G') and (@LoginNamePattern is null or p.name = @LoginNamePattern)
go
-- sp_helpserver: Lists the servers that this one knows: itself.
-- @server sysname = null: A server; without it, all.
-- @optname varchar(35) = null: An option; without it, every server is listed.
-- @show_topology varchar(1) = null: Ignored, as SQL Server ignores it.
-- returns name sysname, network_name sysname?, status varchar(70), id char(4), collation_name sysname?, connect_timeout int,
--   query_timeout int
if @server is not null and not exists (select 1 from sys.servers where name = @server) raiserror(15015, 16, -1, @server)
else
  select name as name, name as network_name, 'rpc,rpc out,use remote collation' as status, server_id as id,
    collation_name as collation_name, connect_timeout as connect_timeout, query_timeout as query_timeout
  from sys.servers where @server is null or name = @server
go
-- sp_linkedservers: Lists the servers that distributed queries can name: this one.
-- returns SRV_NAME sysname?, SRV_PROVIDERNAME nvarchar(128)?, SRV_PRODUCT nvarchar(128)?, SRV_DATASOURCE nvarchar(4000)?,
--   SRV_PROVIDERSTRING nvarchar(4000)?, SRV_LOCATION nvarchar(4000)?, SRV_CAT sysname?
select name, provider, product, data_source, provider_string, location, catalog from sys.servers
go
-- sp_helpfile: Lists the files of the database.
-- @filename sysname = null: A file, by its logical name; without it, all.
-- returns name sysname, fileid smallint, filename nchar(260), filegroup sysname?, size nvarchar(18), maxsize nvarchar(18),
--   growth nvarchar(18), usage varchar(9)
if @filename is not null and not exists (select 1 from sys.database_files where name = @filename)
  raiserror(15325, 16, -1, 'file', @filename)
else
  select name as name, file_id as fileid, physical_name as filename, case type when 0 then filegroup_name(data_space_id) end as filegroup,
    convert(nvarchar(15), convert(bigint, size) * 8) + N' KB' as size, N'Unlimited' as maxsize,
    convert(nvarchar(15), convert(bigint, growth) * 8) + N' KB' as growth,
    case type when 0 then 'data only' else 'log only' end as usage
  from sys.database_files where @filename is null or name = @filename
go
-- sp_helpfilegroup: Lists the filegroups of the database.
-- @filegroupname sysname = null: A filegroup, whose files are listed too; without it, all.
-- returns groupname sysname, groupid smallint, filecount int
-- returns groupname sysname, groupid smallint, filecount int
-- and file_in_group sysname, fileid smallint, filename nchar(260), size nvarchar(18), maxsize nvarchar(18), growth nvarchar(18)
select g.name as groupname, g.data_space_id as groupid, count(f.file_id) as filecount
from sys.filegroups g left join sys.database_files f on f.data_space_id = g.data_space_id
where @filegroupname is null or g.name = @filegroupname group by g.name, g.data_space_id
if @filegroupname is not null
  select f.name as file_in_group, f.file_id as fileid, f.physical_name as filename,
    convert(nvarchar(15), convert(bigint, f.size) * 8) + N' KB' as size, N'Unlimited' as maxsize,
    convert(nvarchar(15), convert(bigint, f.growth) * 8) + N' KB' as growth
  from sys.filegroups g join sys.database_files f on f.data_space_id = g.data_space_id where g.name = @filegroupname
go
-- sp_spaceused: Shows the number of rows of a table, or the size of the database.
-- @objname nvarchar(776) = null: A table; without it, the database.
-- @updateusage varchar(5) = 'false': Whether figures are to be put right first; they are.
-- @mode varchar(11) = 'ALL': ALL and LOCAL_ONLY are the same here.
-- @oneresultset bit = 0: Whether the database is told of in one row.
-- @include_total_xtp_storage bit = 0: Ignored: there are no tables in memory to count.
-- returns name nvarchar(128), rows char(20)?, reserved varchar(18)?, data varchar(18)?, index_size varchar(18)?, unused varchar(18)?
-- returns database_name nvarchar(128)?, database_size varchar(18)?, "unallocated space" varchar(18)?, reserved varchar(18)?,
--   data varchar(18)?, index_size varchar(18)?, unused varchar(18)?
-- returns database_name nvarchar(128)?, database_size varchar(18)?, "unallocated space" varchar(18)?
-- and reserved varchar(18)?, data varchar(18)?, index_size varchar(18)?, unused varchar(18)?
declare @kb bigint = (select sum(convert(bigint, size)) * 8 from sys.database_files)
declare @size varchar(18) = convert(varchar(15), convert(decimal(15, 2), @kb / 1024.0)) + ' MB', @all varchar(18) = convert(varchar(15), @kb) + ' KB'
declare @database sysname = db_name()
if @objname is not null and object_id(@objname) is null raiserror(15009, 16, -1, @objname, @database)
else if @objname is not null
  select o.name as name, convert(char(20), (select max(p.row_count) from sys.dm_db_partition_stats p where p.object_id = o.object_id)) as rows,
    '0 KB' as reserved, '0 KB' as data, '0 KB' as index_size, '0 KB' as unused from sys.objects o where o.object_id = object_id(@objname)
else if @oneresultset = 1
  select @database as database_name, @size as database_size, '0.00 MB' as [unallocated space], @all as reserved, @all as data,
    '0 KB' as index_size, '0 KB' as unused
else
begin
  select @database as database_name, @size as database_size, '0.00 MB' as [unallocated space]
  select @all as reserved, @all as data, '0 KB' as index_size, '0 KB' as unused
end
go
-- sp_helpconstraint: Lists the constraints of a table.
-- @objname nvarchar(776): The table.
-- @nomsg varchar(5) = 'msg': nomsg leaves out the name of the table.
-- returns "Object Name" nvarchar(776)
-- and constraint_type nvarchar(146), constraint_name nvarchar(128), delete_action nvarchar(12)?, update_action nvarchar(12)?,
--   status_enabled varchar(8)?, status_for_replication varchar(19)?, constraint_keys nvarchar(2126)?
-- returns constraint_type nvarchar(146), constraint_name nvarchar(128), delete_action nvarchar(12)?, update_action nvarchar(12)?,
--   status_enabled varchar(8)?, status_for_replication varchar(19)?, constraint_keys nvarchar(2126)?
declare @id int = object_id(@objname), @database sysname = db_name()
if @id is null raiserror(15009, 16, -1, @objname, @database)
else
begin
  if @nomsg <> 'nomsg' select @objname as [Object Name]
  select case k.type when 'PK' then 'PRIMARY KEY (clustered)' else 'UNIQUE (non-clustered)' end as constraint_type,
    k.name as constraint_name, '(n/a)' as delete_action, '(n/a)' as update_action, '(n/a)' as status_enabled,
    '(n/a)' as status_for_replication, (select string_agg(col_name(c.object_id, c.column_id), ', ')
      from sys.index_columns c where c.object_id = @id and c.index_id = k.unique_index_id) as constraint_keys
  from sys.key_constraints k where k.parent_object_id = @id
  union all select 'DEFAULT on column ' + col_name(@id, parent_column_id), name, '(n/a)', '(n/a)', '(n/a)', '(n/a)', definition
  from sys.default_constraints where parent_object_id = @id
  union all select case parent_column_id when 0 then 'CHECK Table Level' else 'CHECK on column ' + col_name(@id, parent_column_id) end,
    name, '(n/a)', '(n/a)', case is_disabled when 1 then 'Disabled' else 'Enabled' end, 'Is_For_Replication', definition
  from sys.check_constraints where parent_object_id = @id
  union all select 'FOREIGN KEY', f.name, replace(f.delete_referential_action_desc, '_', ' '),
    replace(f.update_referential_action_desc, '_', ' '), 'Enabled', 'Is_For_Replication',
    (select string_agg(col_name(c.parent_object_id, c.parent_column_id), ', ')
     from sys.foreign_key_columns c where c.constraint_object_id = f.object_id)
  from sys.foreign_keys f where f.parent_object_id = @id
end
go
-- sp_helpstats: Lists the statistics of a table’s columns, as far as no index has them: there are none.
-- @objname nvarchar(776): The table.
-- @results nvarchar(5) = 'STATS': ALL for those of indexes too.
-- returns statistics_name sysname, statistics_keys nvarchar(2078)
declare @id int = object_id(@objname), @database sysname = db_name()
if @id is null raiserror(15009, 16, -1, @objname, @database)
else
  select i.name as statistics_name, (select string_agg(col_name(c.object_id, c.column_id), ', ') from sys.index_columns c
    where c.object_id = i.object_id and c.index_id = i.index_id) as statistics_keys
  from sys.indexes i where i.object_id = @id and i.index_id > 0 and @results = 'ALL'
go
-- sp_helptrigger: Lists the triggers of a table; no table here has any.
-- @tabname nvarchar(776): The table.
-- @triggertype char(6) = null: INSERT, UPDATE or DELETE.
-- returns trigger_name sysname, trigger_owner sysname, isupdate int, isdelete int, isinsert int, isafter int, isinsteadof int,
--   trigger_schema sysname
declare @id int = object_id(@tabname), @database sysname = db_name()
if @id is null raiserror(15009, 16, -1, @tabname, @database)
else select name, N'dbo', 0, 0, 0, 0, 0, N'dbo' from sys.triggers where parent_id = @id
go
-- sp_helpsort: Shows the collation of the server.
-- returns "Server default collation" nvarchar(1000)
select description as [Server default collation] from sys.fn_helpcollations()
where name = convert(sysname, serverproperty('Collation'))
go
-- sp_helplanguage: Lists the languages of messages.
-- @language sysname = null: A language by its name or alias; without it, all.
-- returns langid smallint, dateformat nchar(3), datefirst tinyint, upgrade int?, name sysname, alias sysname, months nvarchar(372)?,
--   shortmonths nvarchar(132)?, days nvarchar(217)?, lcid int, msglangid smallint
if @language is not null and not exists (select 1 from sys.syslanguages where name = @language or alias = @language)
  raiserror(15033, 16, -1, @language)
else select * from sys.syslanguages where @language is null or name = @language or alias = @language
go
-- sp_depends: Lists what an object depends on; empty for procedures that are not T-SQL.
-- @objname nvarchar(776): The object.
-- returns nothing
declare @id int = object_id(@objname), @database sysname = db_name()
if @id is null raiserror(15009, 16, -1, @objname, @database)
go
-- sp_udtypes: Lists the user-defined types; there are none.
-- @udttypename sysname = null: A pattern of names.
-- returns nothing
return
go
-- sp_lock: Lists locks.
-- @spid1 int = null: A session; without it, all.
-- @spid2 int = null: Another.
-- returns spid smallint, dbid smallint, ObjId int, IndId smallint, Type nchar(4), Resource nchar(32)?, Mode nvarchar(8), Status nvarchar(5)
select request_session_id as spid, resource_database_id as dbid, 0 as ObjId, 0 as IndId,
  case resource_type when 'DATABASE' then 'DB' when 'OBJECT' then 'TAB' else 'APP' end as Type,
  left(resource_description, 32) as Resource, request_mode as Mode, request_status as Status from sys.dm_tran_locks
where @spid1 is null or request_session_id in (@spid1, @spid2)
go
-- sp_monitor: Shows statistics of the server.
-- returns last_run datetime, current_run datetime, seconds int
-- and cpu_busy varchar(25), io_busy varchar(25), idle varchar(25)
-- and packets_received varchar(25), packets_sent varchar(25), packet_errors varchar(25)
-- and total_read varchar(25), total_write varchar(25), total_errors varchar(25), connections varchar(25)
declare @started datetime = (select sqlserver_start_time from sys.dm_os_sys_info)
select @started as last_run, getdate() as current_run, datediff(second, @started, getdate()) as seconds
select convert(varchar(25), process_user_time_ms / 1000) as cpu_busy, '0' as io_busy, '0' as idle from sys.dm_os_sys_info
select convert(varchar(25), @@pack_received) as packets_received, convert(varchar(25), @@pack_sent) as packets_sent,
  convert(varchar(25), @@packet_errors) as packet_errors
select convert(varchar(25), @@total_read) as total_read, convert(varchar(25), @@total_write) as total_write,
  convert(varchar(25), @@total_errors) as total_errors, convert(varchar(25), @@connections) as connections
go
-- sp_MShasdbaccess: Lists the databases that the login may use.
-- returns dbname sysname, owner sysname?, DEFAULT_COMPATIBILITY_LEVEL tinyint, dbid int
select name as dbname, suser_sname(owner_sid) as owner, compatibility_level as DEFAULT_COMPATIBILITY_LEVEL, database_id as dbid
from sys.databases where has_dbaccess(name) = 1
go
-- sp_helprotect: Lists who may do what in the database.
-- @name nvarchar(776) = null: An object or a statement; only the database itself has permissions here.
-- @username sysname = null: Who was given something.
-- @grantorname sysname = null: Who gave it.
-- @permissionarea varchar(10) = 'o s': o for objects, s for statements.
-- returns Owner sysname, Object sysname, Grantee sysname, Grantor sysname, ProtectType nvarchar(10), Action nvarchar(60), Column sysname
select N'.' as Owner, N'.' as Object, g.name as Grantee, N'dbo' as Grantor, N'Grant     ' as ProtectType, p.permission_name as Action,
  N'.' as [Column] from sys.database_permissions p join sys.database_principals g on g.principal_id = p.grantee_principal_id
where @username is null or g.name = @username
go
-- sp_helpgroup: Lists the roles of the database as the groups that they once were, or the members of one.
-- @grpname sysname = null: A role; without it, all.
-- returns Group_name sysname, Group_id smallint
-- returns Group_name sysname, Group_id smallint, Users_in_group sysname, Userid smallint
if @grpname is null
  select name as Group_name, principal_id as Group_id from sys.database_principals where type = 'R'
else if not exists (select 1 from sys.database_principals where name = @grpname and type = 'R') raiserror(15409, 16, -1, @grpname)
else
  select r.name as Group_name, r.principal_id as Group_id, m.name as Users_in_group, m.principal_id as Userid
  from sys.database_principals r join sys.database_role_members x on x.role_principal_id = r.principal_id
  join sys.database_principals m on m.principal_id = x.member_principal_id where r.name = @grpname
go
-- sp_helpdevice: Lists the devices of backups; there are none.
-- @devname sysname = null: A device; without it, all.
-- returns device_name sysname, physical_name nvarchar(260)?, description nvarchar(255)?, status int, cntrltype smallint, size int
if @devname is not null and not exists (select 1 from sys.backup_devices where name = @devname) raiserror(15012, 16, -1, @devname)
else
  select name as device_name, physical_name as physical_name, type_desc as description, 16 as status, type as cntrltype, 0 as size
  from sys.backup_devices where @devname is null or name = @devname
go
-- sp_helpextendedproc: Lists extended procedures that were added to the server; there are none.
-- @funcname sysname = null: One of them; without it, all.
-- returns name sysname, dll nvarchar(255)?
if @funcname is not null and not exists (select 1 from sys.extended_procedures where name = @funcname)
  raiserror(15019, 16, -1, @funcname)
else select name as name, dll_name as dll from sys.extended_procedures where @funcname is null or name = @funcname
go
-- sp_helplinkedsrvlogin: Lists the mappings of logins to linked servers; there are none.
-- @rmtsrvname sysname = null: A server; without it, all.
-- @locallogin sysname = null: A login; without it, all.
-- returns "Linked Server" sysname, "Local Login" sysname?, "Is Self Mapping" smallint, "Remote Login" sysname?
if @rmtsrvname is not null and not exists (select 1 from sys.servers where name = @rmtsrvname) raiserror(15015, 16, -1, @rmtsrvname)
else
  select s.name as [Linked Server], suser_name(l.local_principal_id) as [Local Login],
    convert(smallint, l.uses_self_credential) as [Is Self Mapping], l.remote_name as [Remote Login]
  from sys.linked_logins l join sys.servers s on s.server_id = l.server_id
  where (@rmtsrvname is null or s.name = @rmtsrvname) and (@locallogin is null or suser_name(l.local_principal_id) = @locallogin)
go
-- sp_helpremotelogin: Lists logins of other servers; there are none.
-- @remoteserver sysname = null: A server; without it, all.
-- @remotename sysname = null: A login of it; without it, all.
-- returns nothing
if @remoteserver is not null and not exists (select 1 from sys.servers where name = @remoteserver)
  raiserror(15015, 16, -1, @remoteserver)
go
-- sp_help_fulltext_catalogs: Lists the full-text catalogs of the database; there are none.
-- @fulltext_catalog_name sysname = null: One of them; without it, all.
-- returns FULLTEXT_CATALOG_ID smallint, NAME sysname, PATH nvarchar(260)?, STATUS int?, NUMBER_FULLTEXT_TABLES int?
select fulltext_catalog_id, name, path, 0, 0 from sys.fulltext_catalogs where @fulltext_catalog_name is null or name = @fulltext_catalog_name
go
-- sp_help_fulltext_tables: Lists the tables with a full-text index; there are none.
-- @fulltext_catalog_name sysname = null: A catalog; without it, all.
-- @table_name nvarchar(517) = null: A table; without it, all.
-- returns TABLE_OWNER sysname, TABLE_NAME sysname, FULLTEXT_KEY_INDEX_NAME sysname, FULLTEXT_KEY_COLID int, FULLTEXT_INDEX_ACTIVE int,
--   FULLTEXT_CATALOG_NAME sysname
select N'dbo', object_name(i.object_id), N'', 0, convert(int, i.is_enabled), c.name from sys.fulltext_indexes i
join sys.fulltext_catalogs c on c.fulltext_catalog_id = i.fulltext_catalog_id
where @fulltext_catalog_name is null or c.name = @fulltext_catalog_name
go
-- sp_help_fulltext_columns: Lists the columns with a full-text index; there are none.
-- @table_name nvarchar(517) = null: A table; without it, all.
-- @column_name sysname = null: A column; without it, all.
-- returns TABLE_OWNER sysname, TABLE_ID int, TABLE_NAME sysname, FULLTEXT_COLUMN_NAME sysname, FULLTEXT_COLID int,
--   FULLTEXT_BLOBTP_COLNAME sysname?, FULLTEXT_BLOBTP_COLID int?, FULLTEXT_LANGUAGE int?
select N'dbo', object_id, object_name(object_id), col_name(object_id, column_id), column_id,
  col_name(object_id, type_column_id), type_column_id, language_id from sys.fulltext_index_columns
