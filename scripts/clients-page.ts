import { readFileSync } from 'node:fs';
import { type Check, checkNames, checks } from '../test/clients/checks.ts';
import { mapperChecks, mapperPackages } from '../test/clients/orms/mappers.ts';
import { type ClientId, type ClientPackages, clientPackages } from '../test/clients/packages.ts';
import { type ClientResult, readResult } from '../test/clients/results.ts';
import { snippets } from '../test/clients/snippets.ts';
import { tools } from '../test/clients/tools/tools.ts';
import { root } from './source-files.ts';

/** The result of another project's test suite, run against Granary from a checkout of it. */
interface PeerRun {
  readonly name: string;
  readonly version: string;
  readonly passed: number;
  readonly tests: number;
}

interface Peers {
  readonly date: string;
  /** How the suites were run, and what was excluded. */
  readonly how: readonly string[];
  readonly runs: readonly PeerRun[];
  /** Why the others do not pass: how many, and what they are. */
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
  if (client.debian.length === 0) return 'Installed by `npm install`';
  const packages = `\`sudo apt-get install ${client.debian.join(' ')}\``;
  return client.file === undefined
    ? packages
    : `${packages}; \`npm test\` extracts the driver from ${client.file.npm} (npm)`;
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
    `Tested ${result.variants.map(({ name, tds, tls }) => `${name} (TDS ${tds}, ${encryptionOf(tls)})`).join('; ')}.`,
    '',
    `\`\`\`${language}`,
    text.trim(),
    '```',
    ...(lacks.length > 0 ? ['', 'Not supported by this client itself:', '', ...lacks] : []),
  ];
}

/** `config.version` is a fact of a check, `cancel` a check. */
function lackedName(what: string): string {
  const [check = '', fact] = what.split('.');
  return fact === undefined ? checks[check as Check] : `${check}, ${fact}`;
}

function peerLines({ date, how, runs, failures }: Peers): string[] {
  return [
    `Last run on ${date}, from checkouts that are not part of this project.`,
    '',
    ...how.map((line) => `- ${line}`),
    '',
    '| suite | passed | of |',
    '|---|--:|--:|',
    ...runs.map(({ name, version, passed, tests }) => `| ${name} ${version} | ${passed} | ${tests} |`),
    ...Object.entries(failures).flatMap(([suite, reasons]) => [
      '',
      `Tests of ${suite} that do not pass:`,
      '',
      ...reasons.map(({ tests, why }) => `- ${tests}: ${why}`),
    ]),
  ];
}

/** The tools whose first statements are tested, with the number of statements. */
function toolLines(): string[] {
  const all = tools.reduce((sum, { asks }) => sum + asks.length, 0);
  const shaped = tools.flatMap(({ asks }) => asks).filter(([, , expected]) => expected !== undefined).length;
  return [
    'Before a tool shows anything, it queries the server for its properties. `test/clients/tools/` has equivalent statements,',
    'written for the tests from what the public sources of these tools show. Each must return the columns that the tool reads,',
    `on both engines, and ${shaped} of the ${all} must return the rows, or the number of rows, that SQL Server would. The`,
    'statements of DataGrip and Power BI are from memory: their sources are not public.',
    '',
    '| tool | statements | answered |',
    '|---|--:|--:|',
    ...tools.map(({ name, asks }) => `| ${name} | ${asks.length} | ${asks.length} |`),
    `| all | ${all} | ${all} |`,
    '',
    'Columns and types of the catalog views are those of Microsoft’s documentation for SQL Server 2022. From memory, because the',
    'documentation does not say: which of them may be NULL; the columns of `sp_helpconstraint`, `sp_helpgroup`, `sp_helpsort`,',
    '`sp_monitor` and `sp_MShasdbaccess`; the parameters and column types of the procedures whose names end in `_rowset` or',
    '`_managed`; what `TYPEPROPERTY` returns for precision; what `xp_instance_regread` returns for a missing value; that a column',
    'without an alias is named as the statement spells it; that `{fn curdate()}` and `{fn curtime()}` are text; `spt_values` of',
    'master; the number of the collation; the procedures and tables of msdb for SQL Server Agent, mail and policies;',
    '`sid_binary` and `fn_varbintohexsubstring`.',
    '',
    'The enumerator of SMO, with which Management Studio fills its trees and property pages, was run by hand on 2026-11-16 over',
    'Microsoft.Data.SqlClient 3.0: 112 of its levels, from the server to columns, indexes, logins, Agent and locks, each with',
    'all its properties, work on both engines.',
  ];
}

/** docs/clients.md: which clients work, from the results that their tests recorded. */
export function clientsPage(): string {
  const ids = Object.keys(clientPackages) as ClientId[];
  const results = ids.flatMap((id) => readResult(id) ?? []);
  const peers: Peers = JSON.parse(readFileSync(`${root}/test/clients/peers.json`, 'utf8'));
  return [
    '# Clients',
    '',
    'Each of these clients is tested against Granary by a program of its own (`test/clients/`) with the same checks. `npm test`',
    'runs those that are installed, installs missing ones where it can, and fails if a client does not do what this page says.',
    'The page is generated from the results (`npm run docs`).',
    '',
    'A dash marks something that the client itself does not support; the reasons are below, with a connection example for each.',
    '',
    ...matrix(results),
    '',
    '## Connecting',
    ...results.flatMap(section),
    '',
    '## Tools',
    '',
    ...toolLines(),
    '',
    '## Object-relational mappers and query builders',
    '',
    'All of these work, in tempdb and in a database of a protocol (`test/clients/orms/`); `npm test` installs them next to the',
    'project where it can.',
    '',
    `| | ${Object.values(mapperPackages)
      .map(({ title }) => title)
      .join(' | ')} |`,
    `|---|${':-:|'.repeat(Object.keys(mapperPackages).length)}`,
    ...Object.values(mapperChecks).map((rule) => `| ${rule} |${' ✔ |'.repeat(Object.keys(mapperPackages).length)}`),
    '',
    '## Several requests at once (MARS)',
    '',
    "Mono's System.Data.SqlClient supports it with `MultipleActiveResultSets=True`: two readers at once, commands in a loop over",
    'a reader, one transaction for both, cancelling one of them, SqlBulkCopy from a reader on the same connection. python-tds',
    "supports it with `use_mars=True`. FreeTDS' ODBC driver as built by Debian does not request it. Microsoft's ODBC driver, and",
    "with it PHP's sqlsrv, requests it by default, but was not tested. JDBC drivers have no MARS.",
    '',
    '## Session recovery',
    '',
    "Microsoft's JDBC driver restores an open connection by itself after the server was killed and restarted",
    "(`connectRetryCount`). Mono's System.Data.SqlClient requests the same (feature 1 in its LOGIN7) and is granted it, but",
    'detects only connections that were reset: before a command it polls its socket for POLLERR, POLLHUP and POLLNVAL, none of',
    'which Linux reports when the other side has closed, as it does for a killed process. The command is sent, the response is the',
    'end of the stream, and the connection is closed. If something in between resets the connection, it logs in with the state of',
    'its session (51 bytes) and continues. Pooled connections recover in both cases: the pool opens new ones. (Observed with',
    'strace, 2026-11-16.)',
    '',
    '## Test suites of other projects',
    '',
    ...peerLines(peers),
    '',
  ].join('\n');
}
