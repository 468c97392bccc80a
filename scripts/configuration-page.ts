import { declarationOf, environmentOf, flagOf, type SettingKey, settingKeys } from '../src/cli/settings.ts';

/** docs/configuration.md: every setting, from the one table that declares them. */
export function configurationPage(): string {
  return [
    '# Configuration',
    '',
    'Every setting has a flag, an environment variable and a key in `granary.config.json` (in the working directory, or',
    'where `--config FILE` or `GRANARY_CONFIG` says). A flag goes before the environment, the environment before the file,',
    'the file before the default. A wrong value or an unknown flag or key stops the command with a message and exit code 2.',
    'Times are written `500ms`, `30s`, `2m` or `1h` (a bare number counts seconds), sizes `4096`, `64KB`, `512MB` or `1GB`.',
    '',
    '## Settings of every command',
    '',
    ...rows('all'),
    '',
    '## Settings of `granary serve`',
    '',
    ...rows('serve'),
    '',
    '## A file',
    '',
    '```json',
    '{',
    '  "host": "0.0.0.0",',
    '  "port": 1433,',
    '  "data": "/var/lib/granary",',
    '  "engine": "postgres://granary@db.example:5432/granary",',
    '  "lockTimeout": "10s"',
    '}',
    '```',
    '',
    'A file that holds a password (`saPassword`, or one in the URL of `engine`) must not be readable by others.',
    '',
    'This page is made by `npm run docs` from `src/cli/settings.ts`.',
    '',
  ].join('\n');
}

function rows(used: 'all' | 'serve'): string[] {
  return [
    '| flag | environment | key | values | default | meaning |',
    '|---|---|---|---|---|---|',
    ...settingKeys.filter((key) => declarationOf(key).used === used).map(row),
  ];
}

function row(key: SettingKey): string {
  const { type, default: fallback, shownDefault, help, secret } = declarationOf(key);
  const flag = secret ? 'none: a command line is visible to others' : `\`--${flagOf(key)}\``;
  const values = `\`${type.placeholder.replaceAll('|', '\\|')}\``;
  const standard = shownDefault ?? (fallback === undefined ? '' : `\`${fallback}\``);
  return `| ${[flag, `\`${environmentOf(key)}\``, `\`${key}\``, values, standard, help].join(' | ')} |`;
}
