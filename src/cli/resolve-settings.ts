import { readFileSync } from 'node:fs';
import { isWorldReadable } from '../base/private-files.ts';
import { hasPassword } from '../engine/postgres/connect/url.ts';
import { codeOf, messageOf, UsageError } from './errors.ts';
import { suggestion } from './flags.ts';
import { declarationOf, environmentOf, flagOf, type SettingKey, type Settings, settingKeys } from './settings.ts';

/** The sources of settings, first to last: the command line, the environment, the file, the defaults. */
interface SettingSources {
  readonly flags: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path of the file; its absence is an error only if the path was given. */
  readonly file: string;
  readonly fileNamed: boolean;
  /** Told what is not wrong but unsafe. */
  warn?(text: string): void;
}

/** The file that is read if none is named. */
export const defaultConfigFile = 'granary.config.json';

/** The value of every setting; throws a UsageError that names a wrong one and its source. */
export function resolveSettings(sources: SettingSources): Settings {
  const file = readConfigFile(sources);
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of settingKeys) {
    const value = resolve(key, sources, file);
    if (value !== undefined) values[key] = value;
  }
  if ((values.tlsCert === undefined) !== (values.tlsKey === undefined)) {
    throw new UsageError('tls-cert and tls-key belong together: specify both or neither.');
  }
  // Every key was parsed by the type that its declaration, and so Settings, gives it.
  return values as Settings;
}

/** The defaults with some values replaced; neither environment nor file is read. */
export function settingsWith(values: Partial<Settings>): Settings {
  const nothing = { flags: new Map(), environment: {}, file: '', fileNamed: false };
  return { ...resolveSettings(nothing), ...values };
}

function resolve(key: SettingKey, { flags, environment, file: path }: SettingSources, file: ConfigFile): unknown {
  const { type, secret, default: fallback } = declarationOf(key);
  const found = [
    { text: secret ? undefined : flags.get(flagOf(key)), where: `--${flagOf(key)}` },
    // An empty variable is one that a script left unset.
    { text: environment[environmentOf(key)] || undefined, where: environmentOf(key) },
    { text: file.get(key), where: `${key} in ${path}` },
    { text: fallback, where: `the default of ${key}` },
  ].find(({ text }) => text !== undefined);
  if (found?.text === undefined) return undefined;
  const value = type.parse(found.text);
  if (value !== undefined) return value;
  const shown = secret ? '' : ` '${found.text}'`;
  throw new UsageError(`${found.where}: the value${shown} must be ${type.expected}.`);
}

type ConfigFile = ReadonlyMap<SettingKey, string>;

/** The byte order mark that editors on Windows put before UTF-8. */
const byteOrderMark = /^\uFEFF/;

function readConfigFile(sources: SettingSources): ConfigFile {
  const { file, fileNamed } = sources;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8').replace(byteOrderMark, ''));
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !fileNamed) return new Map();
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`${file} must contain a JSON object.`);
  }
  const entries = Object.entries(content).map(([key, value]): [SettingKey, string] => {
    if (!isSettingKey(key))
      throw new UsageError(`${file}: there is no setting ${key}.${suggestion(key, settingKeys, '')}`);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new UsageError(`${file}: the value of ${key} must be a string or a number.`);
    }
    return [key, String(value)];
  });
  checkMode(sources, entries);
  return new Map(entries);
}

/** A password must not lie where every user of the machine can read it. */
function checkMode({ file, warn }: SettingSources, entries: readonly [SettingKey, string][]): void {
  const secret = entries.find(([key, value]) => declarationOf(key).secret || (key === 'engine' && hasPassword(value)));
  if (secret === undefined || !isWorldReadable(file)) return;
  warn?.(
    `${file} contains a password (${secret[0]}) and every user of this machine can read it; run chmod 600 ${file}.`,
  );
}

function isSettingKey(key: string): key is SettingKey {
  return (settingKeys as readonly string[]).includes(key);
}
