import { readFileSync } from 'node:fs';
import { type Check, checkNames, checks } from '../test/clients/checks.ts';
import { mapperChecks, mapperPackages } from '../test/clients/orms/mappers.ts';
import { type ClientId, type ClientPackages, clientPackages } from '../test/clients/packages.ts';
import { type ClientResult, readResult } from '../test/clients/results.ts';
import { snippets } from '../test/clients/snippets.ts';
import { tools } from '../test/clients/tools/tools.ts';
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

/** The tools whose first statements are under test, with how many those are. */
function toolLines(): string[] {
  const all = tools.reduce((sum, { asks }) => sum + asks.length, 0);
  const shaped = tools.flatMap(({ asks }) => asks).filter(([, , expected]) => expected !== undefined).length;
  return [
    'Before somebody sees anything in a tool, it has asked the server what it is. `test/clients/tools/` has statements that ask',
    'what these tools ask, written for the tests from what their public sources show; each must answer with the columns that',
    `the tool reads, on both engines, and ${shaped} of the ${all} with rows that SQL Server would have, or with as many. What`,
    'DataGrip and Power BI ask is from memory: their sources are not public.',
    '',
    '| tool | asked | answered |',
    '|---|--:|--:|',
    ...tools.map(({ name, asks }) => `| ${name} | ${asks.length} | ${asks.length} |`),
    `| all | ${all} | ${all} |`,
    '',
    'Columns and types of the catalog views are those of Microsoft’s documentation for SQL Server 2022. From memory, because the',
    'documentation does not say: which of them may be NULL; the columns of `sp_helpconstraint`, `sp_helpgroup`, `sp_helpsort`, `sp_monitor` and',
    '`sp_MShasdbaccess`; the parameters and column types of the procedures whose names end in `_rowset` or `_managed`; what',
    '`TYPEPROPERTY` says of precision; what `xp_instance_regread` returns for a value that is missing; that a column without an',
    'alias is headed as the statement spells it; what `{fn curdate()}` and `{fn curtime()}` are: text; `spt_values` of master; the number of the collation;',
    'the procedures and tables of msdb for SQL Server Agent, mail and policies; `sid_binary` and `fn_varbintohexsubstring`.',
    '',
    'SMO’s enumerator, by which Management Studio fills its trees and property pages, was run by hand on 2026-11-16 over',
    'Microsoft.Data.SqlClient 3.0: 112 of its levels, from the server to columns, indexes, logins, Agent and locks, each with all its',
    'properties, answer on both engines.',
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
    '## The first statements of tools',
    '',
    ...toolLines(),
    '',
    '## Object-relational mappers and query builders',
    '',
    'Each does all of this, in tempdb and in a database of a protocol (`test/clients/orms/`); `npm test` installs them beside',
    'the project, where it may.',
    '',
    `| | ${Object.values(mapperPackages)
      .map(({ title }) => title)
      .join(' | ')} |`,
    `|---|${':-:|'.repeat(Object.keys(mapperPackages).length)}`,
    ...Object.values(mapperChecks).map((rule) => `| ${rule} |${' ✔ |'.repeat(Object.keys(mapperPackages).length)}`),
    '',
    '## Several requests at once (MARS)',
    '',
    "Mono's System.Data.SqlClient does it with `MultipleActiveResultSets=True`: two readers at once, commands in a loop over a",
    'reader, one transaction over both, the cancel of one, SqlBulkCopy from a reader of the same connection. python-tds does it',
    "with `use_mars=True`. FreeTDS' ODBC driver as Debian builds it does not ask for it; Microsoft's ODBC driver, and with it PHP's",
    'sqlsrv, does by default, but was not tried here; JDBC drivers have no MARS.',
    '',
    '## Sessions that are had again (session recovery)',
    '',
    "Microsoft's JDBC driver takes up an open connection by itself after the server was killed and started again (`connectRetryCount`).",
    "Mono's System.Data.SqlClient asks for the same (feature 1 in its LOGIN7) and is granted it, but notices only a connection that was",
    'reset: before a command it polls its socket for POLLERR, POLLHUP and POLLNVAL, none of which Linux reports when the other side has',
    'closed, as it does for a process that was killed. The command is sent, the answer is the end of the stream, and the connection is',
    'closed. Where what is in between resets the connection, it logs in with the state of its session (51 bytes) and goes on. Connections',
    'of its pool come back in both cases: the pool opens others. (Seen with strace, 2026-11-16.)',
    '',
    '## Test suites of others',
    '',
    ...peerLines(peers),
    '',
  ].join('\n');
}
