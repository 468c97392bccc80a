import { hostname } from 'node:os';
import { tlsVersions } from '../net/tls-secrets.ts';
import { optional, type Setting, setting } from './setting.ts';
import * as type from './setting-types.ts';
import { workerSettings } from './worker-settings.ts';

/** Every setting there is: parsing, precedence, the help and docs/configuration.md derive from this. */
export const declarations = {
  data: setting({
    type: type.text('DIR'),
    default: './data',
    used: 'all',
    help: 'The folder of the databases, the certificate and the lock.',
  }),
  engine: setting({
    type: type.engine,
    default: 'sqlite',
    used: 'all',
    help:
      'Where the data is kept: SQLite files in the data folder, or a PostgreSQL database by its URL. A password belongs ' +
      'into enginePassword: every user of the machine can see a command line.',
  }),
  enginePassword: optional({
    type: type.text('PASSWORD'),
    shownDefault: 'the one in the URL, if any',
    used: 'all',
    secret: true,
    help: 'The password for PostgreSQL, in place of one in the URL.',
  }),
  engineTimeout: setting({
    type: type.duration(0, 3_600_000),
    default: '30s',
    used: 'all',
    help:
      'How long a call of which nothing was kept waits for a PostgreSQL that takes writes, and is run again inside, before ' +
      'error 40613.',
  }),
  nodeTimeout: setting({
    type: type.duration(1000, 3_600_000),
    default: '10s',
    used: 'serve',
    help:
      'How long this node may stand still before PostgreSQL, by its own clock, takes back what it holds: transactions of ' +
      'calls and of clients; locks of sp_getapplock after half as long again. A bulk load of it is ended by the other nodes.',
  }),
  host: setting({
    type: type.text('ADDRESS'),
    default: '127.0.0.1',
    used: 'serve',
    help: 'The address to listen on; 0.0.0.0 or :: for all.',
  }),
  port: setting({
    type: type.whole(0, 65_535),
    default: '1433',
    used: 'serve',
    help: 'The port to listen on; 0 picks a free one.',
  }),
  httpHost: setting({
    type: type.text('ADDRESS'),
    default: '127.0.0.1',
    used: 'serve',
    help:
      'The address of the operators’ HTTP listener (/livez, /readyz, /metrics, granary status). On another address than ' +
      'loopback it speaks HTTPS only, with the server’s certificate.',
  }),
  httpPort: setting({
    type: type.httpPort,
    default: 'auto',
    shownDefault: '8433, or a free one where another program has that',
    used: 'serve',
    help: 'The port of that listener; 0 picks a free one, off opens none.',
  }),
  encryption: setting({
    type: type.choice('auto', 'required', 'optional', 'off'),
    default: 'auto',
    used: 'serve',
    help:
      'Whether clients must use TLS. auto: on a loopback address they may, on any other a login without TLS is refused; ' +
      'required: always, also after the login; optional: never must; off: TLS is not offered. Under auto and optional a ' +
      'client that asks for it encrypts its login only.',
  }),
  tlsCert: optional({
    type: type.text('FILE'),
    shownDefault: 'a self-signed one, made at first start in the data folder',
    used: 'serve',
    help: 'The server’s certificate (PEM), with those that lead to its root.',
  }),
  tlsKey: optional({
    type: type.text('FILE'),
    used: 'serve',
    help: 'The private key of that certificate (PEM).',
  }),
  tlsMinVersion: setting({
    type: type.choice(...tlsVersions),
    default: '1.2',
    used: 'serve',
    help:
      'The lowest version of TLS. 1.0 and 1.1 also allow what clients of before 2012 need: suites without forward secrecy ' +
      'or authenticated encryption, and SHA-1. 1.3 leaves TDS 8 only.',
  }),
  saPassword: optional({
    type: type.text('PASSWORD'),
    shownDefault: 'one is generated and shown once',
    used: 'serve',
    secret: true,
    help: 'The password of the login sa at first start; afterwards `granary login password sa` changes it.',
  }),
  kerberosKeytab: optional({
    type: type.text('FILE'),
    shownDefault: 'Kerberos is off',
    used: 'serve',
    help:
      'The keytab with the keys of this server’s service principals (MSSQLSvc/host:port, and HTTP/host for the console); with it Windows users log in by ' +
      'Kerberos. Which realm, and where, the system’s krb5.conf says (or KRB5_CONFIG).',
  }),
  servicePrincipal: optional({
    type: type.text('NAME'),
    shownDefault: 'any of the keytab',
    used: 'serve',
    help: 'The one service principal that clients may ask a ticket for: MSSQLSvc/db.corp.test:1433.',
  }),
  realmDomains: optional({
    type: type.pairs('REALM=DOMAIN,…'),
    shownDefault: 'the domain that a ticket names, else the realm itself',
    used: 'serve',
    help: 'Which domain the users of a Kerberos realm belong to: CORP.TEST=CORP makes CORP\\alice of alice@CORP.TEST.',
  }),
  ntlm: setting({
    type: type.choice('off', 'on'),
    default: 'off',
    used: 'serve',
    help:
      'Whether clients may log in by NTLMv2, as accounts that `granary login create --windows --ntlm` has made. Off ' +
      'loopback the whole connection must be encrypted then.',
  }),
  ntlmDomain: optional({
    type: type.text('DOMAIN'),
    shownDefault: 'serverName in capitals',
    used: 'serve',
    help: 'The domain of a client that logs in by NTLM and names none.',
  }),
  extendedProtection: setting({
    type: type.choice('off', 'allowed', 'required'),
    default: 'off',
    used: 'serve',
    help:
      'Whether a Windows login is tied to its connection. allowed: channel bindings and service names that clients send ' +
      'must be right; required: clients must send them.',
  }),
  maxConnections: setting({
    type: type.whole(1, 32_653),
    default: '5000',
    used: 'serve',
    help:
      'Connections at once; the next one is refused with error 17809, unless one that has not logged in can make room or ' +
      'an administrator comes from this machine. Session numbers have 15 bits: 32653 at most.',
  }),
  maxConnectionsPerAddress: setting({
    type: type.whole(1, 32_653),
    default: '2000',
    used: 'serve',
    help: 'Connections at once from one address, refused in the same way.',
  }),
  loginTimeout: setting({
    type: type.duration(100, 3_600_000),
    default: '15s',
    used: 'serve',
    help: 'How long a connection may take to log in before it is closed.',
  }),
  lockTimeout: setting({
    type: type.durationOrNever(0, 86_400_000),
    default: 'never',
    used: 'serve',
    help:
      'How long a call waits for the locks of another transaction before error 1222, unless SET LOCK_TIMEOUT says ' +
      'otherwise; never waits until they are free.',
  }),
  executionTimeout: setting({
    type: type.duration(0, 86_400_000),
    default: '0s',
    used: 'serve',
    help: 'How long a request may take before the server cancels it, on every connection; 0s sets no limit.',
  }),
  idleTransactionTimeout: setting({
    type: type.duration(0, 86_400_000),
    default: '1m',
    used: 'serve',
    help:
      'How long a client may say nothing after it has written in a transaction of its own, or while that keeps a snapshot; ' +
      'then the transaction is rolled back, and the next request gets an error that says so. 0s sets no limit.',
  }),
  transactionTimeout: setting({
    type: type.duration(0, 7 * 86_400_000),
    default: '1h',
    used: 'serve',
    help:
      'How long a transaction of a client, or one read, may last in all: for its sake the store keeps what others delete, and ' +
      'others may wait for it. Then it ends in error 3966. 0s sets no limit.',
  }),
  blockingTimeout: setting({
    type: type.duration(0, 7 * 86_400_000),
    default: '2m',
    used: 'serve',
    help:
      'How long a transaction of a client may last while others wait for it, however busy it is: then it ends in error ' +
      '3966, and they go on. 0s sets no limit.',
  }),
  maxMessageSize: setting({
    type: type.size(4096, 4 * 1024 ** 3),
    default: '256MB',
    used: 'serve',
    help: 'The largest request; a longer one ends its connection.',
  }),
  messageTimeout: setting({
    type: type.duration(100, 86_400_000),
    default: '2m',
    used: 'serve',
    help: 'How long a request may take to arrive whole; a slower one ends its connection.',
  }),
  messageMemory: setting({
    type: type.size(1024 ** 2, 64 * 1024 ** 3),
    default: '1GB',
    used: 'serve',
    help:
      'Memory for large requests that are arriving or being answered, of all clients together; past it the client that ' +
      'holds most is cut off with error 17803. Clients that have not logged in share a sixteenth of it.',
  }),
  messageMemoryPerAddress: setting({
    type: type.size(1024 ** 2, 64 * 1024 ** 3),
    default: '512MB',
    used: 'serve',
    help: 'The same for the clients of one address.',
  }),
  sendTimeout: setting({
    type: type.duration(100, 86_400_000),
    default: '2m',
    used: 'serve',
    help:
      'How long a client may leave an answer unread before it is cut off. When others wait for the snapshot that it ' +
      'reads from, two seconds.',
  }),
  maxLogSize: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '1GB',
    used: 'all',
    help:
      'How long the log of a SQLite database may get because somebody reads an old state of it; past it reads that ' +
      'go on for 5 s more end in error 3966.',
  }),
  engineConnections: setting({
    type: type.whole(8, 10_000),
    default: '40',
    used: 'all',
    help:
      'Connections to PostgreSQL at once, for all databases together; clients may hold half of them by reads and transactions ' +
      'that they take their time with. All servers on one PostgreSQL together must stay below its max_connections.',
  }),
  maxBatchSize: setting({
    type: type.size(1024, 1024 ** 3),
    default: '64MB', // drivers without binary parameters write 10 MB of bytes as 40 MB of text
    used: 'serve',
    help: 'The longest text of a T-SQL batch.',
  }),
  maxStatementMemory: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '64MB',
    used: 'serve',
    help: 'The memory that one T-SQL statement may hold rows in, to sort, group or join them; error 701 beyond it.',
  }),
  maxSessionMemory: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '256MB',
    used: 'serve',
    help:
      'The memory that one session may hold: temporary tables (error 1105 beyond it), variables, prepared statements, ' +
      'cursors and what its statements hold (701).',
  }),
  maxLoginMemory: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '512MB',
    used: 'serve',
    help: 'The same for all sessions of one login together.',
  }),
  maxMemory: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '1GB',
    used: 'serve',
    help: 'The same for all sessions together.',
  }),
  ...workerSettings,
  packetSize: setting({
    type: type.whole(512, 32_767),
    default: '4096',
    used: 'serve',
    help: 'The size of TDS packets for a client that asks for none.',
  }),
  reportedVersion: setting({
    type: type.version,
    default: '16.0.4135.4',
    used: 'serve',
    help: 'The version of SQL Server that clients are told (the default is one of SQL Server 2022).',
  }),
  serverName: setting({
    type: type.text('NAME'),
    default: hostname(),
    shownDefault: 'the name of the machine',
    used: 'serve',
    help: 'What @@SERVERNAME says.',
  }),
  logLevel: setting({
    type: type.choice('debug', 'info', 'warn', 'error'),
    default: 'info',
    used: 'serve',
    help: 'The least important lines to log.',
  }),
  logFile: optional({
    type: type.text('FILE'),
    shownDefault: 'standard error',
    used: 'serve',
    help: 'A file to append the log to, a JSON object a line. SIGHUP opens it anew, for programs that rotate logs.',
  }),
  logMaxSize: optional({
    type: type.size(64 * 1024, 1024 ** 4),
    shownDefault: 'others rotate it',
    used: 'serve',
    help: 'The size at which the log file is put aside as FILE.1, the older ones as FILE.2 and so on.',
  }),
  logKeep: setting({
    type: type.whole(0, 1000),
    default: '5',
    used: 'serve',
    help: 'How many log files that were put aside are kept.',
  }),
  traceCollector: optional({
    type: type.webAddress,
    shownDefault: 'no traces',
    used: 'serve',
    help:
      'A collector of OpenTelemetry that gets a span a call, as OTLP over HTTP in JSON: http://localhost:4318. An address ' +
      'without a path means /v1/traces there.',
  }),
  traceHeaders: optional({
    type: type.pairs('NAME=VALUE,…'),
    used: 'serve',
    secret: true,
    help: 'Headers that the collector wants, such as a key.',
  }),
} as const;

type Declarations = typeof declarations;
export type SettingKey = keyof Declarations;
type ValueOf<K extends SettingKey> = Declarations[K] extends { readonly type: type.SettingType<infer Value> }
  ? Value
  : never;
type MayBeMissing<K extends SettingKey> = K extends SettingKey
  ? Declarations[K] extends { readonly default: undefined }
    ? K
    : never
  : never;

/** The value of every setting. */
export type Settings = {
  readonly [K in Exclude<SettingKey, MayBeMissing<SettingKey>>]: ValueOf<K>;
} & { readonly [K in MayBeMissing<SettingKey>]?: ValueOf<K> };

/** The keys in the order they are shown. */
export const settingKeys = Object.keys(declarations) as SettingKey[]; // the keys of an object literal are its own

/** The declaration of a setting, its value's type put aside. */
export function declarationOf(key: SettingKey): Setting<unknown> {
  return declarations[key];
}

/** `tlsCert` is `tls-cert` on the command line. */
export function flagOf(key: SettingKey): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `tlsCert` is `GRANARY_TLS_CERT` in the environment. */
export function environmentOf(key: SettingKey): string {
  return `GRANARY_${flagOf(key).replaceAll('-', '_').toUpperCase()}`;
}
