import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onOneLine } from '../base/text/without-orders.ts';
import { type Where, whereFile } from '../operations/operators.ts';
import type { Status } from '../operations/status.ts';
import { columns } from './columns.ts';
import type { Command } from './command.ts';
import { codeOf, messageOf, OperatorError } from './errors.ts';
import { json } from './json-flag.ts';

/** `granary status`: how the server on this data is. */
export const statusCommand: Command = {
  name: 'status',
  args: [],
  summary: 'Shows the state of the server on this data: databases, sessions, slow procedures, blocking, problems.',
  details: ['Exits with 0 if all is well, and with 1 if something is wrong or no server is running.'],
  flags: { json },
  settings: ['all'],
  async run({ settings, flags, world }) {
    const answer = await ask(settings.data);
    const status: Status = JSON.parse(answer);
    world.stdout.write(flags.has('json') ? answer : shown(status));
    if (status.wrong.length > 0)
      throw new OperatorError(`Not all is well: ${status.wrong.map((each) => each.replace(/\.$/, '')).join('; ')}.`);
  },
};

async function ask(folder: string): Promise<string> {
  const file = join(folder, whereFile);
  const { url, token } = await whereIn(folder, file);
  try {
    return await get({ url, token });
  } catch (error) {
    throw new OperatorError(
      `The server that wrote ${file} does not respond at ${url} (${messageOf(error)}). If it was killed, start it again; ` +
        'if it is running, see its log.',
      { cause: error },
    );
  }
}

async function whereIn(folder: string, file: string): Promise<Where> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new OperatorError(
        `No server with an HTTP listener is running on ${folder}. Start one, or specify its folder with --data.`,
      );
    }
    throw new OperatorError(
      code === 'EACCES'
        ? `This user cannot read ${file}. Run the command as the user that the server runs as.`
        : `${file} cannot be read: ${messageOf(error)}. A server rewrites it when it starts.`,
      { cause: error },
    );
  }
}

async function get({ url, token }: Where): Promise<string> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  // Only its owner can read the file with the address and the token: whoever accepts the token is the server.
  const options = { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false, timeout: 30_000 };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request(`${url}/status`, options, async (response) => {
    try {
      const body = await text(response);
      if (response.statusCode === 200 && isStatus(body)) resolve(body);
      else if (response.statusCode === 200) reject(new Error('another program responds there'));
      else reject(new Error(`${response.statusCode}: ${body}`));
    } catch (error) {
      reject(error);
    }
  });
  asked.on('timeout', () => asked.destroy(new Error('no response within 30 s')));
  asked.on('error', reject).end();
  return promise;
}

/** A program of others may have taken the port of a server that was killed. */
function isStatus(body: string): boolean {
  try {
    const found: unknown = JSON.parse(body);
    return typeof found === 'object' && found !== null && 'wrong' in found;
  } catch {
    return false;
  }
}

function shown(status: Status): string {
  const { databases, sessions, slowest, waits } = status;
  const running = sessions.filter(({ running: what }) => what !== '').length;
  return [
    `${status.server}, Granary ${status.release}, process ${status.process}, up since ${status.started}`,
    `engine ${status.engine}, listening on ${status.address}, ${sessions.length} sessions (${running} running), ` +
      `${status.callsPerSecond} calls per second in the last minute`,
    `certificate valid until ${status.certificateUntil}`,
    '',
    columns(
      ['database', 'kind', 'state', 'size', 'of which log'],
      databases.map(({ name, kind, state, bytes, logBytes }) => [name, kind, state, size(bytes), size(logBytes)]),
    ),
    slowest.length === 0 ? 'No procedure has been called yet.\n' : 'Slowest procedures:',
    slowest.length === 0
      ? ''
      : columns(
          ['procedure', 'database', 'calls', 'mean ms', 'p99 ms'],
          slowest.map(({ procedure, database, calls, meanMs, p99Ms }) => [
            procedure,
            database,
            `${calls}`,
            `${meanMs}`,
            `${p99Ms}`,
          ]),
        ),
    ...busy(sessions),
    ...waits.map(
      ({ session, blockedBy, since, resource }) =>
        `Session ${session} has been waiting for session ${blockedBy} since ${since}: ${onOneLine(resource)}`,
    ),
    status.wrong.length === 0 ? 'All is well.' : 'Problems:',
    ...status.wrong.map((what) => `  ${what}`),
    '',
  ].join('\n');
}

/** Sessions that are shown in words; in JSON all are. */
const mostShown = 20;

/** Who works, or has a transaction open. */
function busy(sessions: Status['sessions']): string[] {
  const found = sessions.filter(({ running, transactions }) => running !== '' || transactions > 0);
  if (found.length === 0) return [];
  const rows = found
    .slice(0, mostShown)
    .map((of) => [`${of.session}`, of.login, of.address, of.database, `${of.transactions}`, of.running || '(idle)']);
  const more = found.length > mostShown ? [`and ${found.length - mostShown} more\n`] : [];
  return [
    'Busy sessions:',
    columns(['session', 'login', 'from', 'database', 'transactions', 'running'], rows),
    ...more,
  ];
}

const size = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
