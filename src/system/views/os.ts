import { arch, availableParallelism, freemem, platform, release, totalmem, type } from 'node:os';
import type { SystemCall } from '../../procedure/system-call.ts';
import { waited } from '../sessions.ts';
import type { Given, RowsByView } from './rows.ts';

const platforms: Readonly<Record<string, string>> = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' };
const kilobytes = (bytes: number): bigint => BigInt(Math.floor(bytes / 1024));
const milliseconds = (microseconds: number): bigint => BigInt(Math.floor(microseconds / 1000));

function sysInfo({ server, now }: SystemCall): Given {
  const cores = availableParallelism();
  const { user, system } = process.cpuUsage();
  const used = kilobytes(process.memoryUsage.rss());
  const uptime = Math.floor(process.uptime() * 1000);
  return {
    cpu_ticks: process.hrtime.bigint(),
    ms_ticks: BigInt(uptime),
    cpu_count: cores,
    hyperthread_ratio: cores,
    physical_memory_kb: kilobytes(totalmem()),
    virtual_memory_kb: kilobytes(totalmem()),
    committed_kb: used,
    committed_target_kb: used,
    visible_target_kb: used,
    max_workers_count: cores,
    sqlserver_start_time_ms_ticks: BigInt(Math.max(0, uptime - (now.getTime() - server.started.getTime()))),
    sqlserver_start_time: server.started,
    process_kernel_time_ms: milliseconds(system),
    process_user_time_ms: milliseconds(user),
    cores_per_socket: cores,
  };
}

function scheduler({ server }: SystemCall): Given {
  const running = server.sessions().filter(({ status }) => status === 'running').length;
  const { user, system } = process.cpuUsage();
  return {
    scheduler_address: new Uint8Array(8),
    is_idle: running === 0,
    current_tasks_count: running,
    current_workers_count: running,
    active_workers_count: running,
    load_factor: running,
    total_cpu_usage_ms: milliseconds(user + system),
  };
}

function processMemory(): Given {
  const used = process.memoryUsage.rss();
  return {
    physical_memory_in_use_kb: kilobytes(used),
    total_virtual_address_space_kb: kilobytes(totalmem()),
    virtual_address_space_reserved_kb: kilobytes(used),
    virtual_address_space_committed_kb: kilobytes(used),
    virtual_address_space_available_kb: kilobytes(freemem()),
    memory_utilization_percentage: Math.round((used / totalmem()) * 100),
    available_commit_limit_kb: kilobytes(freemem()),
  };
}

/** What the process holds, under the names of SQL Server’s clerks that come nearest. */
function clerks(): Given[] {
  const { rss, heapTotal, external } = process.memoryUsage();
  const held = {
    MEMORYCLERK_SQLGENERAL: heapTotal,
    MEMORYCLERK_SQLCONNECTIONPOOL: external,
    MEMORYCLERK_HOST: Math.max(0, rss - heapTotal - external),
  };
  return Object.entries(held).map(([clerk, bytes], at) => ({
    memory_clerk_address: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, at + 1),
    type: clerk,
    name: 'Default',
    pages_kb: kilobytes(bytes),
  }));
}

/** What sessions wait for now: what they waited for before is not kept. */
async function waits(call: SystemCall): Promise<Given[]> {
  const byType = Map.groupBy(await call.server.waits(), ({ mode }) => `LCK_M_${mode}`);
  if (!byType.has('LCK_M_X')) byType.set('LCK_M_X', []);
  return [...byType].map(([wait_type, waiting]) => {
    const times = waiting.map((wait) => waited(wait, call));
    return {
      wait_type,
      waiting_tasks_count: BigInt(waiting.length),
      wait_time_ms: BigInt(times.reduce((sum, time) => sum + time, 0)),
      max_wait_time_ms: BigInt(Math.max(0, ...times)),
    };
  });
}

async function counters({ server }: SystemCall): Promise<Given[]> {
  const sessions = server.sessions();
  const open = sessions.reduce((sum, { transactions }) => sum + transactions, 0);
  const blocked = (await server.waits()).length;
  const memory = Math.floor(process.memoryUsage.rss() / 1024);
  const general = 'SQLServer:General Statistics';
  const known: readonly (readonly [string, string, string, number])[] = [
    [general, 'User Connections', '', sessions.length],
    [general, 'Logical Connections', '', sessions.length],
    [general, 'Processes blocked', '', blocked],
    [general, 'Transactions', '', open],
    ['SQLServer:Databases', 'Active Transactions', '_Total', open],
    ['SQLServer:Memory Manager', 'Total Server Memory (KB)', '', memory],
    ['SQLServer:Memory Manager', 'Target Server Memory (KB)', '', Math.floor(totalmem() / 1024)],
  ];
  return known.map(([object_name, counter_name, instance_name, value]) => ({
    object_name,
    counter_name,
    instance_name,
    cntr_value: BigInt(value),
  }));
}

/** The views of the machine and the process. */
export const osRows: RowsByView = {
  'sys.dm_os_host_info': () => [
    {
      host_platform: platforms[platform()] ?? platform(),
      host_distribution: type(),
      host_release: release(),
      host_architecture: arch(),
    },
  ],
  'sys.dm_os_sys_info': (call) => [sysInfo(call)],
  'sys.dm_os_sys_memory': () => [
    {
      total_physical_memory_kb: kilobytes(totalmem()),
      available_physical_memory_kb: kilobytes(freemem()),
      total_page_file_kb: kilobytes(totalmem()),
      available_page_file_kb: kilobytes(freemem()),
    },
  ],
  'sys.dm_os_process_memory': () => [processMemory()],
  'sys.dm_os_schedulers': (call) => [scheduler(call)],
  'sys.dm_os_memory_clerks': clerks,
  'sys.dm_os_wait_stats': waits,
  'sys.dm_os_performance_counters': counters,
};
