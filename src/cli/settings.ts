import { hostname } from 'node:os';
import { tlsVersions } from '../net/tls-secrets.ts';
import { optional, type Setting, setting } from './setting.ts';
import * as type from './setting-types.ts';
import { workerSettings } from './worker-settings.ts';

/** All settings: parsing, precedence, the help and docs/configuration.md are derived from this table. */
export const declarations = {
  data: setting({
    type: type.text('DIR'),
    default: './data',
    used: 'all',
    help: 'The folder for the databases, the certificate and the lock file.',
  }),
  engine: setting({
    type: type.engine,
    default: 'sqlite',
    used: 'all',
    help:
      'Where data is stored: SQLite files in the data folder, or a PostgreSQL database given by its URL. Put the password ' +
      'into enginePassword, because every user of the machine can see a command line.',
  }),
  enginePassword: optional({
    type: type.text('PASSWORD'),
    shownDefault: 'the one in the URL, if any',
    used: 'all',
    secret: true,
    help: 'The password for PostgreSQL, instead of one in the URL.',
  }),
  engineTimeout: setting({
    type: type.duration(0, 3_600_000),
    default: '30s',
    used: 'all',
    help:
      'How long a call that has not taken effect yet waits for a PostgreSQL primary, and is retried internally, before it ' +
      'fails with error 40613.',
  }),
  nodeTimeout: setting({
    type: type.duration(1000, 3_600_000),
    default: '10s',
    used: 'serve',
    help:
      'How long this node may hang before PostgreSQL, by its own clock, releases what it holds: transactions of calls and ' +
      'clients, and sp_getapplock locks after half as long again. Its bulk loads are ended by the other nodes.',
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
      'The address of the operators’ HTTP listener (/livez, /readyz, /metrics, /console, granary status). On an address ' +
      'other than loopback it serves HTTPS only, with the server’s certificate.',
  }),
  httpPort: setting({
    type: type.httpPort,
    default: 'auto',
    shownDefault: '8433, or a free one if that is in use',
    used: 'serve',
    help: 'The port of the HTTP listener; 0 picks a free one, off disables the listener.',
  }),
  encryption: setting({
    type: type.choice('auto', 'required', 'optional', 'off'),
    default: 'auto',
    used: 'serve',
    help:
      'Whether clients must use TLS. auto: optional on loopback, required for the login on any other address; required: ' +
      'always, for the whole connection; optional: never required; off: TLS is not offered. With auto and optional, a ' +
      'client can choose to encrypt only its login.',
  }),
  tlsCert: optional({
    type: type.text('FILE'),
    shownDefault: 'a self-signed one, generated in the data folder at first start',
    used: 'serve',
    help: 'The server’s certificate (PEM), including intermediate certificates.',
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
      'The minimum TLS version. 1.0 and 1.1 also enable what clients from before 2012 need: cipher suites without forward ' +
      'secrecy or authenticated encryption, and SHA-1. With 1.3, only TDS 8 works.',
  }),
  saPassword: optional({
    type: type.text('PASSWORD'),
    shownDefault: 'generated and shown once',
    used: 'serve',
    secret: true,
    help: 'The password of the login sa at first start; later, change it with `granary login password sa`.',
  }),
  kerberosKeytab: optional({
    type: type.text('FILE'),
    shownDefault: 'Kerberos is off',
    used: 'serve',
    help:
      'The keytab with the keys of this server’s service principals (MSSQLSvc/host:port, and HTTP/host for the console). It ' +
      'enables Kerberos logins of Windows users. The realm is configured in the system’s krb5.conf, or in KRB5_CONFIG.',
  }),
  servicePrincipal: optional({
    type: type.text('NAME'),
    shownDefault: 'any in the keytab',
    used: 'serve',
    help: 'The only service principal to accept tickets for, such as MSSQLSvc/db.corp.test:1433.',
  }),
  realmDomains: optional({
    type: type.pairs('REALM=DOMAIN,…'),
    shownDefault: 'the domain named in the ticket, otherwise the realm itself',
    used: 'serve',
    help: 'The domain of the users of a Kerberos realm: CORP.TEST=CORP maps alice@CORP.TEST to CORP\\alice.',
  }),
  ntlm: setting({
    type: type.choice('off', 'on'),
    default: 'off',
    used: 'serve',
    help:
      'Whether clients can log in with NTLMv2, as accounts created with `granary login create --windows --ntlm`. Except on ' +
      'loopback, the whole connection must then be encrypted.',
  }),
  ntlmDomain: optional({
    type: type.text('DOMAIN'),
    shownDefault: 'serverName in upper case',
    used: 'serve',
    help: 'The domain of NTLM clients that do not name one.',
  }),
  extendedProtection: setting({
    type: type.choice('off', 'allowed', 'required'),
    default: 'off',
    used: 'serve',
    help:
      'Whether a Windows login is bound to its connection. allowed: channel bindings and service names that clients send ' +
      'must be correct; required: clients must send them.',
  }),
  maxConnections: setting({
    type: type.whole(1, 32_653),
    default: '5000',
    used: 'serve',
    help:
      'The maximum number of connections. The next one is refused with error 17809, unless one that has not logged in can ' +
      'be closed, or an administrator connects from this machine. Session numbers have 15 bits: 32653 at most.',
  }),
  maxConnectionsPerAddress: setting({
    type: type.whole(1, 32_653),
    default: '2000',
    used: 'serve',
    help: 'The maximum number of connections from one address, refused in the same way.',
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
      'How long a call waits for locks of another transaction before error 1222, unless SET LOCK_TIMEOUT says otherwise; ' +
      'never means to wait until they are released.',
  }),
  executionTimeout: setting({
    type: type.duration(0, 86_400_000),
    default: '0s',
    used: 'serve',
    help: 'How long a request may take before the server cancels it; 0s means no limit.',
  }),
  idleTransactionTimeout: setting({
    type: type.duration(0, 86_400_000),
    default: '1m',
    used: 'serve',
    help:
      'How long a client’s transaction may be idle after it has written, or while it holds a snapshot; it is then rolled ' +
      'back, and the next request gets an error that says so. 0s means no limit.',
  }),
  transactionTimeout: setting({
    type: type.duration(0, 7 * 86_400_000),
    default: '1h',
    used: 'serve',
    help:
      'How long a client’s transaction, or a single read, may last in total, because the store must keep what others delete ' +
      'meanwhile, and others may wait for it; it then ends with error 3966. 0s means no limit.',
  }),
  blockingTimeout: setting({
    type: type.duration(0, 7 * 86_400_000),
    default: '2m',
    used: 'serve',
    help:
      'How long a client’s transaction may last while others wait for it, however busy it is; it then ends with error 3966, ' +
      'and the others proceed. 0s means no limit.',
  }),
  maxMessageSize: setting({
    type: type.size(4096, 4 * 1024 ** 3),
    default: '256MB',
    used: 'serve',
    help: 'The maximum size of a request; a larger one ends its connection.',
  }),
  messageTimeout: setting({
    type: type.duration(100, 86_400_000),
    default: '2m',
    used: 'serve',
    help: 'How long a request may take to arrive completely; a slower one ends its connection.',
  }),
  messageMemory: setting({
    type: type.size(1024 ** 2, 64 * 1024 ** 3),
    default: '1GB',
    used: 'serve',
    help:
      'Memory for large requests that are arriving or being processed, for all clients together. Beyond it, the client that ' +
      'holds the most is disconnected with error 17803. Clients that have not logged in share a sixteenth of it.',
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
      'How long a client may leave a response unread before it is disconnected; two seconds when others are waiting for the ' +
      'snapshot that it holds.',
  }),
  maxLogSize: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '1GB',
    used: 'all',
    help:
      'How large the WAL of a SQLite database may become while somebody reads an old state of it; beyond that, reads that ' +
      'continue for 5 s more end with error 3966.',
  }),
  engineConnections: setting({
    type: type.whole(8, 10_000),
    default: '40',
    used: 'all',
    help:
      'The maximum number of connections to PostgreSQL, for all databases together. Slow reads and open transactions of ' +
      'clients can hold half of them. All Granary servers on one PostgreSQL together must stay below its max_connections.',
  }),
  maxBatchSize: setting({
    type: type.size(1024, 1024 ** 3),
    default: '64MB', // drivers without binary parameters write 10 MB of bytes as 40 MB of text
    used: 'serve',
    help: 'The maximum size of the text of a T-SQL batch.',
  }),
  maxStatementMemory: setting({
    type: type.size(1024 ** 2, 1024 ** 4),
    default: '64MB',
    used: 'serve',
    help: 'The memory in which a T-SQL statement may buffer rows to sort, group or join them; error 701 beyond it.',
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
    help: 'The TDS packet size for clients that do not request one.',
  }),
  reportedVersion: setting({
    type: type.version,
    default: '16.0.4135.4',
    used: 'serve',
    help: 'The SQL Server version reported to clients (the default is one of SQL Server 2022).',
  }),
  serverName: setting({
    type: type.text('NAME'),
    default: hostname(),
    shownDefault: 'the name of the machine',
    used: 'serve',
    help: 'The value of @@SERVERNAME.',
  }),
  logLevel: setting({
    type: type.choice('debug', 'info', 'warn', 'error'),
    default: 'info',
    used: 'serve',
    help: 'The minimum severity of log lines.',
  }),
  logFile: optional({
    type: type.text('FILE'),
    shownDefault: 'standard error',
    used: 'serve',
    help: 'A file to append the log to, one JSON object per line. SIGHUP reopens it, for programs that rotate logs.',
  }),
  logMaxSize: optional({
    type: type.size(64 * 1024, 1024 ** 4),
    shownDefault: 'no rotation',
    used: 'serve',
    help: 'The size at which the log file is rotated to FILE.1, older ones to FILE.2 and so on.',
  }),
  logKeep: setting({
    type: type.whole(0, 1000),
    default: '5',
    used: 'serve',
    help: 'The number of rotated log files to keep.',
  }),
  traceCollector: optional({
    type: type.webAddress,
    shownDefault: 'no tracing',
    used: 'serve',
    help:
      'An OpenTelemetry collector that receives one span per call, as OTLP over HTTP in JSON: http://localhost:4318. Without ' +
      'a path, /v1/traces is used.',
  }),
  traceHeaders: optional({
    type: type.pairs('NAME=VALUE,…'),
    used: 'serve',
    secret: true,
    help: 'HTTP headers for the collector, such as an API key.',
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

/** The declaration of a setting, without the type of its value. */
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
