import { styleText } from 'node:util';
import type { Command } from './command.ts';
import { passwordVariable } from './secret.ts';
import { declarationOf, environmentOf, flagOf, type SettingKey, settingKeys } from './settings.ts';

const width = 100;

/** The output of `granary --help`. */
export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [shortUsageOf(command), command.summary]);
  return [
    'Granary: the database back end of a SharePoint farm without SQL Server.',
    '',
    heading('Commands'),
    ...table(rows),
    '',
    heading('Settings of all commands that access the data'),
    ...table(settingRows('all')),
    '',
    heading('Settings of granary serve'),
    ...table(settingRows('serve')),
    '',
    ...settingNotes,
    '',
    heading('Roles'),
    ...table([
      ['reader', 'may call procedures that only read, and use SELECT'],
      ['writer', 'may call every procedure'],
      ['admin', 'may also manage databases and logins'],
    ]),
    ...wrapped(roleNotes, width),
    '',
    `All flags of a command: granary COMMAND --help`,
    '',
  ].join('\n');
}

/** The output of `granary COMMAND --help`. */
export function commandHelp(command: Command): string {
  const own = Object.entries(command.flags ?? {}).map(([flag, { placeholder, help, required }]): [string, string] => [
    `--${flag} ${placeholder}`.trimEnd(),
    required ? `${help} Required.` : help,
  ]);
  const rows = [...own, ...command.settings.flatMap(settingRows)];
  return [
    `${heading('Usage')} ${usageOf(command)}${rows.length > 0 ? ' [flags]' : ''}`,
    '',
    ...wrapped(command.summary, width),
    ...(command.details ?? []).flatMap((paragraph) => ['', ...wrapped(paragraph, width)]),
    ...(rows.length > 0 ? ['', heading('Flags'), ...table(rows)] : []),
    ...(command.settings.length === 0 ? [] : ['', ...settingNotes]),
    '',
  ].join('\n');
}

/** The same without optional flags, for the list of commands: `granary login create NAME`. */
function shortUsageOf(command: Command): string {
  const required = Object.entries(command.flags ?? {}).filter(([, { required: isRequired }]) => isRequired);
  return usageOf({ ...command, flags: Object.fromEntries(required) });
}

/** How a command is written: `granary login create NAME [--database NAME] [--role reader|writer|admin]`. */
export function usageOf({ name, args, optional, rest, flags = {} }: Command): string {
  const written = Object.entries(flags).map(([flag, { placeholder, required, several }]) => {
    const whole = `--${flag} ${placeholder}${several ? '…' : ''}`.trimEnd();
    return required ? whole : `[${whole}]`;
  });
  const further = [...(optional === undefined ? [] : [`[${optional}]`]), ...(rest === undefined ? [] : [`${rest}…`])];
  return ['granary', name, ...args, ...further, ...written].join(' ');
}

const roleNotes =
  'A login without a role on a database gets error 916 there; a missing permission is error 229. Passwords are read from ' +
  `${passwordVariable} or standard input, or prompted for.`;

const settingNotes = wrapped(
  'Every flag can also be set in the environment (--login-timeout is GRANARY_LOGIN_TIMEOUT) or in granary.config.json ' +
    '(loginTimeout); --config FILE or GRANARY_CONFIG names another file. Flags take precedence over the environment, ' +
    'and the environment over the file.',
  width,
);

function settingRows(used: 'all' | 'serve'): [string, string][] {
  return settingKeys
    .filter((key) => declarationOf(key).used === used)
    .map((key) => [settingName(key), `${declarationOf(key).help}${defaultOf(key)}`]);
}

function settingName(key: SettingKey): string {
  const { secret, type } = declarationOf(key);
  return secret ? `${environmentOf(key)} (no flag)` : `--${flagOf(key)} ${type.placeholder}`;
}

function defaultOf(key: SettingKey): string {
  const { shownDefault, default: fallback } = declarationOf(key);
  const shown = shownDefault ?? fallback;
  return shown === undefined ? '' : ` Default: ${shown}.`;
}

function heading(text: string): string {
  return styleText('bold', `${text}:`);
}

/** Two columns; a name that is too long for the first gets its own line. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(38, Math.max(...rows.map(([name]) => name.length)) + 4);
  return rows.flatMap(([name, help]) => {
    const lines = wrapped(help, width - left);
    const indented = lines.map((line) => ' '.repeat(left) + line);
    const label = `  ${name}`;
    if (label.length > left - 2) return [label, ...indented];
    return [label.padEnd(left) + (lines[0] ?? ''), ...indented.slice(1)];
  });
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
