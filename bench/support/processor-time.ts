import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Clock ticks of a second, as Linux counts the processor's time of processes. */
const ticks = 100;

/** What /proc tells of a process after its name, from its state on; undefined for one that is gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Seconds of the processor that a process has used, and its children that have ended. */
export function usedBy(pid: number): number {
  const times = statOf(pid)?.slice(11, 15) ?? [];
  return times.reduce((sum, each) => sum + Number(each), 0) / ticks;
}

/** The same of a PostgreSQL on this machine: the process that was started, and those that it has now. */
export async function usedByPostgres(address: string): Promise<number> {
  const parent = await parentOf(address);
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = all.map(Number).filter((pid) => Number(statOf(pid)?.[1]) === parent);
  return [parent, ...children].reduce((sum, pid) => sum + usedBy(pid), 0);
}

async function parentOf(address: string): Promise<number> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return Number(statOf(rows[0]?.pid ?? 0)?.[1]);
  } finally {
    await client.end();
  }
}
