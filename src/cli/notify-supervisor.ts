import { spawn } from 'node:child_process';
import type { World } from './command.ts';

/**
 * Tells systemd how the server is, where it asked to be told (Type=notify). Node has no sockets of the kind that
 * systemd listens on, so its own program sends it: the unit needs NotifyAccess=all.
 */
export function notifySupervisor({ environment }: World, state: 'READY=1' | 'STOPPING=1'): void {
  if (!environment['NOTIFY_SOCKET']) return;
  const child = spawn('systemd-notify', [state], { stdio: 'ignore', env: { ...environment } });
  child.on('error', () => {}); // a system that sets the variable without having the program: nothing is lost but the news
}
