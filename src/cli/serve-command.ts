import { hostAndPort } from '../base/host-and-port.ts';
import { createServer, type Granary } from '../main.ts';
import type { Command, World } from './command.ts';
import { OperatorError } from './errors.ts';
import { explained } from './explain.ts';
import { giveBackMemory } from './give-back.ts';
import { notifySupervisor } from './notify-supervisor.ts';
import { openLog } from './open-log.ts';
import { QuietMemory } from './quiet-memory.ts';
import { welcome } from './welcome.ts';

/** The exit code after a disk failure (EX_IOERR): a supervisor restarts the server. */
const diskFailed = 74;

/** `granary serve`: runs until it is told to stop. */
export const serveCommand: Command = {
  name: 'serve',
  args: [],
  summary: 'Runs the server until SIGTERM or SIGINT.',
  details: [
    'The first start creates the data folder, one database of each kind, a certificate and the login sa, and shows how to ' +
      'connect. The server is ready when it prints `listening on HOST:PORT`.',
    'SIGTERM or SIGINT (Ctrl+C) stops it: calls in flight are finished and committed, then it exits with 0. ' +
      'A second signal, more than a second later, stops it immediately.',
    'If the disk fails to store what was written, it exits with 74, so that a supervisor can restart it.',
  ],
  settings: ['all', 'serve'],
  async run({ settings, world }) {
    const ending = world.ending();
    using opened = openLog(settings, world);
    await using granary = createServer(settings, { log: opened.log });
    await explained('start', settings, granary.start());
    giveBackMemory();
    await using memory = new QuietMemory();
    await memory.start();
    opened.log.info('started', { host: settings.host, port: granary.port });
    await greet(granary, world);
    notifySupervisor(world, 'READY=1');
    await ended(AbortSignal.any([ending, granary.lost]));
    opened.log.info('stopping');
    notifySupervisor(world, 'STOPPING=1');
    await granary.stop();
    opened.log.info('stopped');
    if (granary.lost.aborted) {
      throw new OperatorError(`${granary.lost.reason.message} Restart the server when the disk works again.`, {
        exitCode: diskFailed,
      });
    }
  },
};

async function greet(granary: Granary, { stdout }: World): Promise<void> {
  const { host } = granary.settings;
  if (granary.firstStart !== undefined) stdout.write(await welcome(granary, granary.firstStart));
  if (granary.httpAddress !== undefined) stdout.write(`http on ${granary.httpAddress}\n`);
  stdout.write(`listening on ${hostAndPort(host, granary.port)}\n`);
}

async function ended(ending: AbortSignal): Promise<void> {
  if (ending.aborted) return;
  await new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve(), { once: true }));
}
