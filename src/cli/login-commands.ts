import { isRole, roles } from '../accounts/role.ts';
import type { Grant } from '../accounts/roles-store.ts';
import { everyDatabase } from '../engine/names.ts';
import { columns } from './columns.ts';
import type { Command, CommandFlag, Invocation } from './command.ts';
import { withData } from './data.ts';
import { UsageError } from './errors.ts';
import { passwordVariable, readPassword } from './secret.ts';

const passwordSources = `The password is read from ${passwordVariable} or standard input, or prompted for without echo; never from an argument.`;
const database: CommandFlag = { placeholder: 'NAME', help: `The database; ${everyDatabase} means all databases.` };
const role: CommandFlag = { placeholder: roles.join('|'), help: 'The role of the login there.' };

const windows: CommandFlag = {
  placeholder: '',
  bare: true,
  help: 'A Windows user or group, DOMAIN\\NAME, authenticated by its domain; no password is stored.',
};
const sid: CommandFlag = {
  placeholder: 'S-1-5-…',
  help: 'The security identifier of a Windows group; its members can log in and have its roles.',
};
const ntlm: CommandFlag = {
  placeholder: '',
  bare: true,
  help:
    'With --windows: an account that Granary stores itself, for clients that log in with NTLM. The stored hash is equivalent ' +
    'to the password.',
};

const create: Command = {
  name: 'login create',
  args: ['NAME'],
  summary: 'Creates a login, with a role on a database if one is given.',
  details: [passwordSources],
  flags: { database, role, windows, sid, ntlm },
  settings: ['all'],
  async run(invocation) {
    const { settings, world, flags } = invocation;
    const name = nameOf(invocation);
    const granted = grantOf(invocation);
    const isWindows = flags.has('windows');
    const sid = flags.get('sid');
    if (!isWindows && (sid !== undefined || flags.has('ntlm')))
      throw new UsageError('--sid and --ntlm need --windows.');
    const password = isWindows && !flags.has('ntlm') ? undefined : await readPassword(name, world);
    await withData(
      settings,
      ({ administration }) =>
        isWindows
          ? administration.createWindowsLogin(name, { sid, password }, granted)
          : administration.createLogin(name, password ?? '', granted),
      { mayCreate: true },
    );
    world.stdout.write(`Login ${name} created${granted ? `: ${granted.role} on ${granted.database}` : ''}.\n`);
  },
};

const password: Command = {
  name: 'login password',
  args: ['NAME'],
  summary: 'Changes the password of a login.',
  details: [passwordSources],
  settings: ['all'],
  async run(invocation) {
    const { settings, world } = invocation;
    const name = nameOf(invocation);
    const secret = await readPassword(name, world);
    await withData(settings, ({ accounts }) => accounts.setPassword(name, secret));
    world.stdout.write(`Password of ${name} changed.\n`);
  },
};

const list: Command = {
  name: 'login list',
  args: [],
  summary: 'Lists the logins with their roles.',
  settings: ['all'],
  async run({ settings, world }) {
    const logins = await withData(settings, ({ accounts }) => accounts.list());
    const windows = { sql: '', user: 'user', group: 'group' };
    const rows = logins.map(({ name, kind, sid, created, roles }) => [
      name,
      created.toISOString(),
      roles.map(({ database, role }) => `${role} on ${database}`).join(', '),
      `${windows[kind]} ${sid ?? ''}`.trim(),
    ]);
    world.stdout.write(columns(['name', 'created', 'roles', 'Windows'], rows));
  },
};

const drop: Command = {
  name: 'login drop',
  args: ['NAME'],
  summary: 'Drops a login and its roles. The login sa cannot be dropped.',
  settings: ['all'],
  async run(invocation) {
    const name = nameOf(invocation);
    await withData(invocation.settings, ({ accounts }) => accounts.drop(name));
    invocation.world.stdout.write(`Login ${name} dropped.\n`);
  },
};

const grant: Command = {
  name: 'login grant',
  args: ['NAME'],
  summary: 'Grants a login a role on a database, replacing the one it had there.',
  flags: { database: { ...database, required: true }, role: { ...role, required: true } },
  settings: ['all'],
  async run(invocation) {
    const name = nameOf(invocation);
    const granted = grantOf(invocation);
    if (granted === undefined) throw new UsageError('--database and --role are required.');
    await withData(invocation.settings, ({ administration }) => administration.grant(name, granted));
    invocation.world.stdout.write(`${name} is ${granted.role} on ${granted.database}.\n`);
  },
};

const revoke: Command = {
  name: 'login revoke',
  args: ['NAME'],
  summary: 'Revokes the role of a login on a database.',
  flags: { database: { ...database, required: true } },
  settings: ['all'],
  async run(invocation) {
    const name = nameOf(invocation);
    const where = invocation.flags.get('database') ?? '';
    const had = await withData(invocation.settings, ({ administration }) => administration.revoke(name, where));
    invocation.world.stdout.write(
      had ? `${name} no longer has a role on ${where}.\n` : `${name} had no role on ${where}.\n`,
    );
  },
};

function nameOf({ args: [name = ''] }: Invocation): string {
  return name;
}

/** The role that the flags name; without --database it is a role on every database. */
function grantOf({ flags }: Invocation): Grant | undefined {
  const role = flags.get('role');
  const database = flags.get('database');
  if (role === undefined) {
    if (database !== undefined) throw new UsageError(`--database needs --role: ${roles.join(', ')}.`);
    return undefined;
  }
  if (!isRole(role)) throw new UsageError(`There is no role '${role}'. The roles are ${roles.join(', ')}.`);
  return { database: database ?? everyDatabase, role };
}

/** What is done with logins. */
export const loginCommands: readonly Command[] = [create, password, list, drop, grant, revoke];
