import { readFileSync } from 'node:fs';
import { type Check, checkNames, checks } from '../test/clients/checks.ts';
import { type ClientId, type ClientPackages, clientPackages } from '../test/clients/packages.ts';
import { type ClientResult, readResult } from '../test/clients/results.ts';
import { snippets } from '../test/clients/snippets.ts';
import { root } from './source-files.ts';

/** What came of the test suite of another project, run against Granary from a checkout of it. */
interface PeerRun {
  readonly name: string;
  readonly version: string;
  readonly passed: number;
  readonly tests: number;
}

interface Peers {
  readonly date: string;
  /** How the suites were run, and what was left out. */
  readonly how: readonly string[];
  readonly runs: readonly PeerRun[];
  /** Why the rest do not pass: how many, and what they are. */
  readonly failures: Readonly<Record<string, readonly { readonly tests: number; readonly why: string }[]>>;
}

const mark = (works: boolean): string => (works ? '✔' : '–');

function matrix(results: readonly ClientResult[]): string[] {
  const names = results.map(({ id }) => id);
  return [
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => ':-:|').join('')}`,
    ...checkNames.map(
      (check) => `| ${checks[check]} | ${results.map(({ works }) => mark(works.includes(check))).join(' | ')} |`,
    ),
  ];
}

const encryptionOf = (tls: boolean | 'login'): string =>
  tls === 'login' ? 'TLS for the login' : tls ? 'TLS' : 'no TLS';

function installation(client: ClientPackages): string {
  if (client.debian.length === 0) return 'Comes with `npm install`';
  const packages = `\`sudo apt-get install ${client.debian.join(' ')}\``;
  return client.file === undefined
    ? packages
    : `${packages}; \`npm test\` takes the driver out of ${client.file.npm} (npm)`;
}

function section(result: ClientResult): string[] {
  const client: ClientPackages = clientPackages[result.id];
  const { language, text } = snippets[result.id];
  const lacks = Object.entries(result.lacks).map(([what, why]) => `- ${lackedName(what)}: ${why}.`);
  return [
    '',
    `### ${client.title}`,
    '',
    `Version ${result.version}. ${installation(client)}.`,
    `Tried ${result.variants.map(({ name, tds, tls }) => `${name} (TDS ${tds}, ${encryptionOf(tls)})`).join('; ')}.`,
    '',
    `\`\`\`${language}`,
    text.trim(),
    '```',
    ...(lacks.length > 0 ? ['', 'What this client itself has no way to do:', '', ...lacks] : []),
  ];
}

/** `config.version` is a fact of a check, `cancel` a check. */
function lackedName(what: string): string {
  const [check = '', fact] = what.split('.');
  return fact === undefined ? checks[check as Check] : `${check}, ${fact}`;
}

function peerLines({ date, how, runs, failures }: Peers): string[] {
  return [
    `Last run ${date}, from checkouts that are not part of this project.`,
    '',
    ...how.map((line) => `- ${line}`),
    '',
    '| suite | passed | of |',
    '|---|--:|--:|',
    ...runs.map(({ name, version, passed, tests }) => `| ${name} ${version} | ${passed} | ${tests} |`),
    ...Object.entries(failures).flatMap(([suite, reasons]) => [
      '',
      `What does not pass in ${suite}:`,
      '',
      ...reasons.map(({ tests, why }) => `- ${tests}: ${why}`),
    ]),
  ];
}

/** docs/clients.md: which clients work, from the results that their tests wrote down. */
export function clientsPage(): string {
  const ids = Object.keys(clientPackages) as ClientId[];
  const results = ids.flatMap((id) => readResult(id) ?? []);
  const peers: Peers = JSON.parse(readFileSync(`${root}/test/clients/peers.json`, 'utf8'));
  return [
    '# Clients',
    '',
    'Each of these was run against Granary by its own program (`test/clients/`): the same checks in each. `npm test` runs them',
    'again where they are installed, installs what is missing where it may, and fails when a client does not do what this page',
    'says. The page is made from the results (`npm run docs`).',
    '',
    'A dash is something that the client itself has no way to do; the reasons are below, with a first connection for each.',
    '',
    ...matrix(results),
    '',
    '## Connecting',
    ...results.flatMap(section),
    '',
    '## Test suites of others',
    '',
    ...peerLines(peers),
    '',
  ].join('\n');
}
