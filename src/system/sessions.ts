import { createHash } from 'node:crypto';
import { fold } from '../base/text/collation.ts';
import type { SessionEntry, WaitEntry } from '../procedure/server-view.ts';
import type { SystemCall } from '../procedure/system-call.ts';

/** The numbers of databases by name. */
export async function databaseIds({ server }: SystemCall): Promise<(name: string) => number> {
  const ids = new Map((await server.databases()).map(({ name, id }) => [fold(name), id]));
  return (name) => ids.get(fold(name)) ?? 0;
}

/** The sessions of the server by number. */
export const inOrder = ({ server }: SystemCall): SessionEntry[] =>
  [...server.sessions()].sort((a, b) => a.spid - b.spid);

/** What sessions wait for: the transaction of another, or an application lock. */
export async function waitsOf({ server }: SystemCall): Promise<(spid: number) => WaitEntry | undefined> {
  const waits = new Map((await server.waits()).map((wait) => [wait.spid, wait]));
  return (spid) => waits.get(spid);
}

/** How long a session has waited, in milliseconds. */
export const waited = (wait: WaitEntry | undefined, { now }: SystemCall): number =>
  wait === undefined ? 0 : Math.max(0, now.getTime() - wait.since.getTime());

/** The two parts of a Windows user's name; undefined for a session that logged in with a password. */
export function windowsName({
  login,
  authentication,
}: SessionEntry): { readonly domain: string; readonly user: string } | undefined {
  const at = login.indexOf('\\');
  return authentication === 'SQL' ? undefined : { domain: login.slice(0, at), user: login.slice(at + 1) };
}

/** A connection has a GUID in SQL Server; ours is derived from what identifies it. */
export function connectionId({ spid, connected, address }: SessionEntry): string {
  const hex = createHash('sha256').update(`${spid} ${connected.getTime()} ${address}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
