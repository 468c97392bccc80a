import { pathToFileURL } from 'node:url';
import { urlParts } from '../engine/postgres/connect/url.ts';

/** How the text of a setting becomes its value. */
export interface SettingType<Value> {
  /** The placeholder of a value in the help: `NUMBER`, `auto|off`. */
  readonly placeholder: string;
  /** Returns undefined for a text that is no value of this type. */
  parse(text: string): Value | undefined;
  /** What a value must look like, as the end of "must be …". */
  readonly expected: string;
}

/** Any text but an empty one. */
export const text = (placeholder: string): SettingType<string> => ({
  placeholder,
  expected: 'a non-empty text',
  parse: (given) => (given === '' ? undefined : given),
});

/** A whole number within bounds. */
export const whole = (least: number, most: number): SettingType<number> => ({
  placeholder: 'NUMBER',
  expected: `a whole number from ${least} to ${most}`,
  parse(given) {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  },
});

/** One word of a few. */
export const choice = <const Word extends string>(...words: readonly Word[]): SettingType<Word> => ({
  placeholder: words.join('|'),
  expected: `one of ${words.join(', ')}`,
  parse: (given) => words.find((word) => word === given.toLowerCase()),
});

/** A port: 0 picks a free one, `off` opens none, `auto` takes the usual one or, if that is taken, a free one. */
export const httpPort: SettingType<number | 'off' | 'auto'> = {
  placeholder: 'NUMBER|off',
  expected: 'a port from 0 to 65535, or off',
  parse: (given) => choice('off', 'auto').parse(given) ?? whole(0, 65_535).parse(given),
};

const milliseconds = { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A length of time in milliseconds: `500ms`, `30s`, `2m`, `1h`; a bare number counts seconds. */
export const duration = (least: number, most: number): SettingType<number> => ({
  placeholder: 'TIME',
  expected: `a duration from ${showDuration(least)} to ${showDuration(most)}, such as 500ms, 30s or 2m`,
  parse: (given) => scaled(given, milliseconds, least, most),
});

/** The same, or `never`, which is -1. */
export const durationOrNever = (least: number, most: number): SettingType<number> => {
  const { expected, parse } = duration(least, most);
  return {
    placeholder: 'TIME|never',
    expected: `never, or ${expected}`,
    parse: (given) => (given.toLowerCase() === 'never' ? -1 : parse(given)),
  };
};

const bytes = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const;

/** A number of bytes: `4096`, `64KB`, `512MB`, `1GB`. */
export const size = (least: number, most: number): SettingType<number> => ({
  placeholder: 'SIZE',
  expected: `a size from ${showSize(least)} to ${showSize(most)}, such as 4096, 64KB or 512MB`,
  parse: (given) => scaled(given, bytes, least, most),
});

function scaled(given: string, units: Readonly<Record<string, number>>, least: number, most: number) {
  const [, digits, unit = ''] = /^(\d+)\s*([a-z]*)$/i.exec(given) ?? [];
  const value = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  return value >= least && value <= most ? value : undefined;
}

/** A time as a person writes it. */
export function showDuration(value: number): string {
  return showScaled(value, { h: 3_600_000, m: 60_000, s: 1000, ms: 1 });
}

/** A size as a person writes it. */
function showSize(value: number): string {
  return showScaled(value, { GB: 1024 ** 3, MB: 1024 ** 2, KB: 1024 });
}

function showScaled(value: number, units: Readonly<Record<string, number>>): string {
  for (const [unit, factor] of Object.entries(units)) {
    if (value >= factor && value % factor === 0) return `${value / factor}${unit}`;
  }
  return String(value);
}

/** The address of a web service. */
export const webAddress: SettingType<URL> = {
  placeholder: 'URL',
  expected: 'a URL such as http://localhost:4318',
  parse(given) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
  },
};

/** Pairs with commas between: `CORP.TEST=CORP,LAB.TEST=LAB`. */
export const pairs = (placeholder: string): SettingType<ReadonlyMap<string, string>> => ({
  placeholder,
  expected: `pairs such as ${placeholder}`,
  parse(given) {
    const split = given.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
    const isWhole = split.every((parts) => parts.length === 2 && parts.every((part) => part !== ''));
    return isWhole ? new Map(split.map(([name = '', value = '']) => [name, value])) : undefined;
  },
});

/** A dotted version of four numbers, as in SERVERPROPERTY('ProductVersion'). */
export const version: SettingType<string> = {
  placeholder: 'VERSION',
  expected: 'four numbers separated by dots, such as 16.0.4135.4',
  parse(given) {
    const numbers = /^\d{1,3}\.\d{1,3}\.\d{1,5}\.\d{1,5}$/.test(given) ? given.split('.').map(Number) : [];
    const [major = 256, minor = 256, build = 65_536] = numbers;
    return major < 256 && minor < 256 && build < 65_536 ? given : undefined;
  },
};

/** Several of a few words, with commas between; or `auto`, or `off`, which is none. */
export const someOf = <const Word extends string>(
  ...words: readonly Word[]
): SettingType<readonly Word[] | 'auto'> => ({
  placeholder: `auto|off|${words.join(',')}`,
  expected: `auto, off, or a comma-separated list of ${words.join(', ')}`,
  parse(given) {
    if (given === 'auto') return given;
    if (given === 'off') return [];
    const chosen = given.split(',').map((part) => words.find((word) => word === part.trim()));
    return chosen.every((word) => word !== undefined) ? [...new Set(chosen)] : undefined;
  },
});

/** Folders, with commas between: `/srv/documents`, `https://dav.example/documents/`, `config://SharePoint_Config/`. */
export const folders: SettingType<readonly URL[]> = {
  placeholder: 'FOLDER,…',
  expected: 'folders such as /srv/documents, https://dav.example/documents/ or config://SharePoint_Config/',
  parse(given) {
    const urls = given.split(',').map((folder) => folderOf(folder.trim()));
    return urls.every((url) => url !== undefined) ? urls : undefined;
  },
};

function folderOf(text: string): URL | undefined {
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(text);
  const url = isUrl ? URL.parse(text) : pathToFileURL(text);
  if (text === '' || url === null || !/^(file|https?|config):$/.test(url.protocol)) return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Where the data is kept: `sqlite`, or the URL of a PostgreSQL database. */
export const engine: SettingType<string> = {
  placeholder: 'sqlite|postgres://…',
  expected: 'sqlite, or a URL such as postgres://user:password@host:5432/database',
  parse(given) {
    if (given === 'sqlite') return given;
    return urlParts(given) === undefined ? undefined : given;
  },
};
