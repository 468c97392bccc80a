import { SqlError } from '../base/messages/sql-error.ts';
import { withoutOrders } from '../base/text/without-orders.ts';
import { withAwakePool } from '../base/threads/awake-pool.ts';
import { ClientError } from '../client/client-error.ts';
import { hasPassword } from '../engine/postgres/connect/url.ts';
import type { Command, World } from './command.ts';
import { allCommands, commandsOf, firstWords } from './commands.ts';
import { messageOf, OperatorError, UsageError } from './errors.ts';
import { type CommandLine, readCommandLine, suggestion } from './flags.ts';
import { commandHelp, generalHelp, usageOf } from './help.ts';
import { defaultConfigFile, resolveSettings, settingsWith } from './resolve-settings.ts';
import { declarationOf, flagOf, type Settings, settingKeys } from './settings.ts';

/**
 * Runs a command line and returns the exit code: 0 for success, 1 for a failure, 2 for a usage error, others as the
 * command defines them.
 */
export async function run(args: readonly string[], world: World): Promise<number> {
  try {
    await withAwakePool(() => perform(args, { ...world, stdout: harmless(world.stdout) }));
    return 0;
  } catch (error) {
    world.stderr.write(`${withoutOrders(complaint(error))}\n`);
    if (error instanceof OperatorError) return error.exitCode;
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Names that others chose, of jobs or of procedures, are shown to a terminal, and must not give it orders. */
const harmless = (output: World['stdout']): World['stdout'] => ({
  write: (text) => output.write(withoutOrders(text)),
});

async function perform(args: readonly string[], world: World): Promise<void> {
  const { command, rest } = await findCommand(args);
  if (command === undefined) {
    world.stdout.write(generalHelp(await allCommands()));
    return;
  }
  const line = readCommandLine(rest, flagsOf(command), flagsThat(command, 'several'), flagsThat(command, 'bare'));
  if (line.help) {
    world.stdout.write(commandHelp(command));
    return;
  }
  checkArguments(command, line);
  const settings = command.settings.length === 0 ? settingsWith({}) : settingsOf(line, command, world);
  await command.run({ settings, args: line.words, flags: line.flags, lists: line.lists, world });
}

function settingsOf(line: CommandLine, { flags: own = {} }: Command, { environment, stderr }: World): Settings {
  // A flag of the command may be called like a setting of another: login create has --ntlm, and so has serve.
  const flags = new Map([...line.flags].filter(([name]) => !(name in own)));
  const warn = (text: string) => stderr.write(`granary: warning: ${text}\n`);
  if (hasPassword(flags.get('engine') ?? '')) {
    warn(
      'the password in --engine is visible to every user of this machine; pass it in GRANARY_ENGINE_PASSWORD, or as ' +
        'enginePassword in the configuration file.',
    );
  }
  const file = flags.get('config') ?? (environment['GRANARY_CONFIG'] || undefined);
  return resolveSettings({ flags, environment, file: file ?? defaultConfigFile, fileNamed: file !== undefined, warn });
}

/** The command that the first words name; none when only help is asked for. */
async function findCommand(
  args: readonly string[],
): Promise<{ command: Command | undefined; rest: readonly string[] }> {
  const [first, second] = args;
  if (first === 'help' && second !== undefined) return findCommand([...args.slice(1), '--help']);
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return { command: undefined, rest: [] };
  const group = await commandsOf(first === '--version' ? 'version' : first);
  if (first === '--version') return { command: group[0], rest: args.slice(1) };
  for (const count of [3, 2, 1]) {
    const name = args.slice(0, count).join(' ');
    const command = group.find((candidate) => candidate.name === name);
    if (command !== undefined) return { command, rest: args.slice(count) };
  }
  if (group.length === 0) {
    throw new UsageError(`There is no command '${first}'.${suggestion(first, firstWords, '')} See granary --help.`);
  }
  if (second === '--help' || second === '-h') return { command: undefined, rest: [] };
  const known = group.map(({ name }) => name.slice(first.length + 1));
  throw new UsageError(`granary ${first} requires one of: ${known.join(', ')}.`);
}

function flagsOf({ settings, flags = {} }: Command): string[] {
  const taken = settingKeys.filter((key) => settings.includes(declarationOf(key).used) && !declarationOf(key).secret);
  return [...Object.keys(flags), ...(settings.length > 0 ? ['config'] : []), ...taken.map(flagOf)];
}

const flagsThat = ({ flags = {} }: Command, are: 'several' | 'bare'): string[] =>
  Object.keys(flags).filter((flag) => flags[flag]?.[are]);

function checkArguments(command: Command, { words, flags, lists }: CommandLine): void {
  const missing = Object.entries(command.flags ?? {}).filter(
    ([flag, { required }]) => required && !flags.has(flag) && !lists.has(flag),
  );
  if (!isFilled(command, words.length) || missing.length > 0) throw new UsageError(`Usage: ${usageOf(command)}`);
}

function isFilled({ args, optional, rest }: Command, words: number): boolean {
  if (rest !== undefined) return words > args.length;
  return words === args.length || (optional !== undefined && words === args.length + 1);
}

function complaint(error: unknown): string {
  if ([UsageError, OperatorError, SqlError, ClientError].some((known) => error instanceof known)) {
    return `granary: ${messageOf(error)}`;
  }
  // What nobody foresaw is shown whole: it is a fault to report.
  return `granary: unexpected error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
