-- Procedures of msdb by which tools look at SQL Server Agent, Database Mail and the error log, none of which is here: what they list is
-- empty. Columns by Microsoft’s documentation, and from memory where it does not give them.
go
-- sp_get_sqlagent_properties: Shows the properties of SQL Server Agent, which does not exist here.
-- returns auto_start int, msx_server_name sysname?, sqlagent_type int, startup_account nvarchar(255)?, sqlserver_restart int,
--   jobhistory_max_rows int, jobhistory_max_rows_per_job int, errorlog_file nvarchar(255)?, errorlogging_level int,
--   error_recipient nvarchar(30)?, monitor_autostart int, local_host_server sysname?, job_shutdown_timeout int,
--   cmdexec_account varbinary(64)?, regular_connections int, host_login_name sysname?, host_login_password varbinary(512)?,
--   login_timeout int, idle_cpu_percent int, idle_cpu_duration int, oem_errorlog int, sysadmin_only int?,
--   email_profile nvarchar(64)?, email_save_in_sent_folder int, cpu_poller_enabled int, replace_alert_tokens_enabled int
select 0 as auto_start, null as msx_server_name, 1 as sqlagent_type, null as startup_account, 0 as sqlserver_restart,
  -1 as jobhistory_max_rows, -1 as jobhistory_max_rows_per_job, null as errorlog_file, 3 as errorlogging_level,
  null as error_recipient, 0 as monitor_autostart, null as local_host_server, 15 as job_shutdown_timeout, null as cmdexec_account,
  0 as regular_connections, null as host_login_name, null as host_login_password, 30 as login_timeout, 10 as idle_cpu_percent,
  600 as idle_cpu_duration, 0 as oem_errorlog, null as sysadmin_only, null as email_profile, 0 as email_save_in_sent_folder,
  0 as cpu_poller_enabled, 0 as replace_alert_tokens_enabled
go
-- sp_help_job: Lists the jobs of SQL Server Agent; there are none.
-- @job_id uniqueidentifier = null: A job; without it, all.
-- @job_name sysname = null: A job; without it, all.
-- @job_aspect varchar(9) = null: What of it.
-- returns job_id uniqueidentifier, originating_server nvarchar(30), name sysname, enabled tinyint, description nvarchar(512)?,
--   start_step_id int, category sysname, owner sysname?, notify_level_eventlog int, notify_level_email int, notify_level_netsend int,
--   notify_level_page int, notify_email_operator sysname, notify_netsend_operator sysname, notify_page_operator sysname, delete_level int,
--   date_created datetime, date_modified datetime, version_number int, last_run_date int, last_run_time int, last_run_outcome int,
--   next_run_date int, next_run_time int, next_run_schedule_id int, current_execution_status int, current_execution_step sysname,
--   current_retry_attempt int, has_step int, has_schedule int, has_target int, type int
go
-- sp_help_operator: Lists the operators of SQL Server Agent; there are none.
-- @operator_name sysname = null: An operator; without it, all.
-- @operator_id int = null: An operator; without it, all.
-- returns id int, name sysname, enabled tinyint, email_address nvarchar(100)?, last_email_date int, last_email_time int,
--   pager_address nvarchar(100)?, last_pager_date int, last_pager_time int, weekday_pager_start_time int, weekday_pager_end_time int,
--   saturday_pager_start_time int, saturday_pager_end_time int, sunday_pager_start_time int, sunday_pager_end_time int, pager_days tinyint,
--   netsend_address nvarchar(100)?, last_netsend_date int, last_netsend_time int, category_name sysname?
go
-- sp_help_alert: Lists the alerts of SQL Server Agent; there are none.
-- @alert_name sysname = null: An alert; without it, all.
-- @order_by sysname = name: A column to sort by.
-- @alert_id int = null: An alert; without it, all.
-- @category_name sysname = null: A category; without it, all.
-- @legacy_format bit = 0: Whether the columns are those of old.
-- returns id int, name sysname, event_source nvarchar(100), event_category_id int?, event_id int?, message_id int, severity int,
--   enabled tinyint, delay_between_responses int, last_occurrence_date int, last_occurrence_time int, last_response_date int,
--   last_response_time int, notification_message nvarchar(512)?, include_event_description tinyint, database_name sysname?,
--   event_description_keyword nvarchar(100)?, occurrence_count int, count_reset_date int, count_reset_time int, job_id uniqueidentifier?,
--   job_name sysname?, has_notification int, flags int, performance_condition nvarchar(512)?, category_name sysname?,
--   wmi_namespace nvarchar(max)?, wmi_query nvarchar(max)?, type int
go
-- sp_help_proxy: Lists the proxies of SQL Server Agent; there are none.
-- @proxy_id int = null: A proxy; without it, all.
-- @proxy_name sysname = null: A proxy; without it, all.
-- @subsystem_name sysname = null: A subsystem; without it, all.
-- @name nvarchar(256) = null: A login; without it, all.
-- returns proxy_id int, name sysname, credential_identity sysname, enabled tinyint, description nvarchar(1024)?, user_sid varbinary(85),
--   credential_id int, credential_identity_exists int
go
-- sp_help_schedule: Lists the schedules of SQL Server Agent; there are none.
-- @schedule_id int = null: A schedule; without it, all.
-- @schedule_name sysname = null: A schedule; without it, all.
-- returns schedule_id int, schedule_uid uniqueidentifier, schedule_name sysname, enabled int, freq_type int, freq_interval int,
--   freq_subday_type int, freq_subday_interval int, freq_relative_interval int, freq_recurrence_factor int, active_start_date int,
--   active_end_date int, active_start_time int, active_end_time int, date_created datetime, schedule_description nvarchar(4000)?,
--   job_count int
go
-- sp_help_category: Lists the categories of jobs, alerts or operators of SQL Server Agent; there are none.
-- @class varchar(8) = JOB: JOB, ALERT or OPERATOR.
-- @type varchar(12) = null: LOCAL, MULTI-SERVER or NONE.
-- @name sysname = null: A category; without it, all.
-- @suffix bit = 0: Whether the type is a name.
-- returns category_id int, category_type tinyint, name sysname
go
-- sp_enum_sqlagent_subsystems: Lists the subsystems of SQL Server Agent; there are none.
-- returns subsystem nvarchar(40), description nvarchar(512)?, subsystem_dll nvarchar(512)?, agent_exe nvarchar(512)?,
--   start_entry_point nvarchar(30)?, event_entry_point nvarchar(30)?, stop_entry_point nvarchar(30)?, max_worker_threads int?,
--   subsystem_id int
go
-- sysmail_help_profile_sp: Lists the profiles of Database Mail; there are none.
-- @profile_id int = null: A profile; without it, all.
-- @profile_name sysname = null: A profile; without it, all.
-- returns profile_id int, name sysname, description nvarchar(256)?
go
-- sysmail_help_account_sp: Lists the accounts of Database Mail; there are none.
-- @account_id int = null: An account; without it, all.
-- @account_name sysname = null: An account; without it, all.
-- returns account_id int, name sysname, description nvarchar(256)?, email_address nvarchar(128), display_name nvarchar(128)?,
--   replyto_address nvarchar(128)?, servertype sysname, servername sysname, port int, username nvarchar(128)?,
--   use_default_credentials bit, enable_ssl bit
go
-- sysmail_help_configure_sp: Lists the settings of Database Mail; there are none.
-- @parameter_name nvarchar(256) = null: A setting; without it, all.
-- returns paramname nvarchar(256), paramvalue nvarchar(256)?, description nvarchar(256)?
go
-- sp_enumerrorlogs, xp_enumerrorlogs: Lists the error logs of SQL Server; this server has none.
-- @p1 int = 1: 1 for the server’s, 2 for those of SQL Server Agent.
-- returns "Archive #" nvarchar(20), Date nvarchar(40), "Log File Size (Byte)" int
go
-- sp_readerrorlog, xp_readerrorlog: Reads an error log of SQL Server; this server has none.
-- @p1 int = 0: The number of the log.
-- @p2 int = null: 1 for the server’s, 2 for that of SQL Server Agent.
-- @p3 nvarchar(4000) = null: What the text must hold.
-- @p4 nvarchar(4000) = null: What it must hold too.
-- returns LogDate datetime, ProcessInfo nvarchar(50)?, Text nvarchar(4000)?
