import { spawn } from 'node:child_process';
import type { World } from './command.ts';

/**
 * Notifies systemd of the server's state, if requested (Type=notify). Node does not support the kind of socket on which
 * systemd listens, so systemd's own program sends it: the unit needs NotifyAccess=all.
 */
export function notifySupervisor({ environment }: World, state: 'READY=1' | 'STOPPING=1'): void {
  if (!environment['NOTIFY_SOCKET']) return;
  const child = spawn('systemd-notify', [state], { stdio: 'ignore', env: { ...environment } });
  child.on('error', () => {}); // a system that sets the variable without having the program: nothing is lost but the news
}
