import { availableParallelism, totalmem } from 'node:os';
import { type Columns, orNull } from '../../procedure/declare.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { bigint, datetime, int, nchar, nvarchar } from '../../tds/types/index.ts';
import { view } from './view.ts';

const sysInfo = {
  cpu_ticks: bigint,
  ms_ticks: bigint,
  cpu_count: int,
  hyperthread_ratio: int,
  physical_memory_kb: bigint,
  virtual_memory_kb: bigint,
  committed_kb: bigint,
  committed_target_kb: bigint,
  visible_target_kb: bigint,
  stack_size_in_bytes: int,
  os_quantum: bigint,
  os_error_mode: int,
  os_priority_class: orNull(int),
  max_workers_count: int,
  scheduler_count: int,
  scheduler_total_count: int,
  deadlock_monitor_serial_number: int,
  sqlserver_start_time_ms_ticks: bigint,
  sqlserver_start_time: datetime,
  affinity_type: int,
  affinity_type_desc: nvarchar(60),
  process_kernel_time_ms: bigint,
  process_user_time_ms: bigint,
  time_source: int,
  time_source_desc: nvarchar(60),
  virtual_machine_type: int,
  virtual_machine_type_desc: nvarchar(60),
  softnuma_configuration: int,
  softnuma_configuration_desc: nvarchar(60),
  process_physical_affinity: nvarchar(3072),
  sql_memory_model: int,
  sql_memory_model_desc: nvarchar(60),
  socket_count: int,
  cores_per_socket: int,
  numa_node_count: int,
  container_type: int,
  container_type_desc: nvarchar(60),
} satisfies Columns;

const kilobytes = (bytes: number): bigint => BigInt(Math.floor(bytes / 1024));

/** The machine and the process: what Node tells of them; there are no schedulers but its one. */
export const sysDmOsSysInfo = view('sys', 'dm_os_sys_info', sysInfo, ({ server, now }) => {
  const cores = availableParallelism();
  const { user, system } = process.cpuUsage();
  const used = kilobytes(process.memoryUsage.rss());
  const uptime = Math.floor(process.uptime() * 1000);
  return [
    {
      cpu_ticks: process.hrtime.bigint(),
      ms_ticks: BigInt(uptime),
      cpu_count: cores,
      hyperthread_ratio: cores,
      physical_memory_kb: kilobytes(totalmem()),
      virtual_memory_kb: kilobytes(totalmem()),
      committed_kb: used,
      committed_target_kb: used,
      visible_target_kb: used,
      stack_size_in_bytes: 984 * 1024,
      os_quantum: 4n,
      os_error_mode: 0,
      os_priority_class: 32,
      max_workers_count: cores,
      scheduler_count: 1,
      scheduler_total_count: 1,
      deadlock_monitor_serial_number: 0,
      sqlserver_start_time_ms_ticks: BigInt(Math.max(0, uptime - (now.getTime() - server.started.getTime()))),
      sqlserver_start_time: server.started,
      affinity_type: 2,
      affinity_type_desc: 'AUTO',
      process_kernel_time_ms: BigInt(Math.floor(system / 1000)),
      process_user_time_ms: BigInt(Math.floor(user / 1000)),
      time_source: 0,
      time_source_desc: 'QUERY_PERFORMANCE_COUNTER',
      virtual_machine_type: 0,
      virtual_machine_type_desc: 'NONE',
      softnuma_configuration: 0,
      softnuma_configuration_desc: 'OFF',
      process_physical_affinity: '',
      sql_memory_model: 1,
      sql_memory_model_desc: 'CONVENTIONAL',
      socket_count: 1,
      cores_per_socket: cores,
      numa_node_count: 1,
      container_type: 0,
      container_type_desc: 'NONE',
    },
  ];
});

/** PERF_COUNTER_LARGE_RAWCOUNT: a number as it is now. */
const rawCount = 65792;

async function counters({ server }: SystemCall): Promise<readonly (readonly [string, string, string, number])[]> {
  const sessions = server.sessions();
  const open = sessions.reduce((sum, { transactions }) => sum + transactions, 0);
  const blocked = (await server.waits()).length;
  const general = 'SQLServer:General Statistics';
  return [
    [general, 'User Connections', '', sessions.length],
    [general, 'Processes blocked', '', blocked],
    [general, 'Transactions', '', open],
    ['SQLServer:Databases', 'Active Transactions', '_Total', open],
    ['SQLServer:Memory Manager', 'Total Server Memory (KB)', '', Number(kilobytes(process.memoryUsage.rss()))],
  ];
}

/** The counters that Granary has a figure for. */
export const sysDmOsPerformanceCounters = view(
  'sys',
  'dm_os_performance_counters',
  {
    object_name: nchar(128),
    counter_name: nchar(128),
    instance_name: orNull(nchar(128)),
    cntr_value: bigint,
    cntr_type: int,
  } satisfies Columns,
  async (call) =>
    (await counters(call)).map(([object_name, counter_name, instance_name, value]) => ({
      object_name,
      counter_name,
      instance_name,
      cntr_value: BigInt(value),
      cntr_type: rawCount,
    })),
);
