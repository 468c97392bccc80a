import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EngineFault } from '../../fault.ts';
import { type TlsWishes, tlsModes } from './tls.ts';
import { urlParts } from './url.ts';

/** One address at which a server may be reached. */
export interface Endpoint {
  /** A host name, an IP address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Which servers are acceptable: only one that accepts writes, or any. */
type SessionWish = 'any' | 'read-write' | 'primary';

/** Where and how to connect, as given by a URL with libpq's parameters. */
export interface Address {
  readonly endpoints: readonly Endpoint[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly wish: SessionWish;
  /** True: the endpoints are tried in random order. */
  readonly shuffled: boolean;
  readonly tls: TlsWishes;
  /** Milliseconds to wait for one endpoint to answer. */
  readonly connectTimeout: number;
  /** Milliseconds of silence after which the operating system sends keepalives; undefined for never. */
  readonly keepAlive: number | undefined;
  /** Milliseconds that a statement may go unanswered before the server is asked whether it is still working on it. */
  readonly silence: number;
  /** Settings passed to PostgreSQL when a session starts. */
  readonly startup: { readonly application_name?: string; readonly options?: string };
}

const wishes: readonly SessionWish[] = ['any', 'read-write', 'primary'];

/** Parameters that libpq knows but that have no effect here: Node cannot set them, or behaves that way anyway. */
const idle = ['keepalives_interval', 'keepalives_count', 'client_encoding', 'gssencmode', 'fallback_application_name'];

const read = [
  ...['host', 'hostaddr', 'port', 'dbname', 'user', 'password', 'connect_timeout', 'keepalives', 'keepalives_idle'],
  ...['tcp_user_timeout', 'target_session_attrs', 'load_balance_hosts', 'application_name', 'options'],
  ...['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'uselibpqcompat'],
];

/** Parses a URL; an EngineFault says what is wrong with it. */
export function parseAddress(url: string): Address {
  const parts = urlParts(url);
  if (parts === undefined)
    throw new EngineFault('The address is not a URL such as postgres://user@host:5432/database.');
  const { parameters } = parts;
  const unknown = [...parameters.keys()].find((name) => !read.includes(name) && !idle.includes(name));
  if (unknown !== undefined) throw new EngineFault(`The URL has an unknown parameter ${unknown}.`);
  const user = decoded(parts.user) || (parameters.get('user') ?? process.env['PGUSER'] ?? userInfo().username);
  const password = decoded(parts.password) || (parameters.get('password') ?? process.env['PGPASSWORD']);
  const application = parameters.get('application_name');
  const options = parameters.get('options');
  return {
    endpoints: endpointsOf(parts.hosts, parameters),
    user,
    password,
    database: decoded(parts.database) || (parameters.get('dbname') ?? user),
    wish: wishOf(parameters.get('target_session_attrs') ?? 'read-write'),
    shuffled: oneOf('load_balance_hosts', parameters, ['disable', 'random']) === 'random',
    tls: tlsOf(parameters),
    // libpq treats anything below two seconds as two.
    connectTimeout: Math.max(2, wholeOf('connect_timeout', parameters, 5)) * 1000,
    keepAlive:
      wholeOf('keepalives', parameters, 1) === 0 ? undefined : wholeOf('keepalives_idle', parameters, 10) * 1000,
    silence: wholeOf('tcp_user_timeout', parameters, 0) || 10_000,
    startup: {
      ...(application === null ? {} : { application_name: application }),
      ...(options === null ? {} : { options }),
    },
  };
}

function endpointsOf(authority: string, parameters: URLSearchParams): Endpoint[] {
  const given = authority === '' ? (parameters.get('host') ?? process.env['PGHOST'] ?? 'localhost') : authority;
  const pairs = given.split(',').map((text) => {
    const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text);
    if (match === null) throw new EngineFault(`The URL names an invalid host ${text}.`);
    const [, host = '', port = ''] = match;
    return { host: decoded(host.replace(/^\[(.*)\]$/, '$1')) || 'localhost', port };
  });
  const addresses = parameters.get('hostaddr')?.split(',') ?? [];
  if (addresses.length > 0 && addresses.length !== pairs.length)
    throw new EngineFault('The URL does not have as many hostaddr values as hosts.');
  const ports = (parameters.get('port') ?? process.env['PGPORT'] ?? '5432').split(',');
  if (ports.length > 1 && ports.length !== pairs.length)
    throw new EngineFault('The URL does not have as many ports as hosts.');
  return pairs.map(({ host, port }, i) => ({
    host: addresses[i] ?? host,
    port: portOf(port || (ports[ports.length === 1 ? 0 : i] ?? '')),
  }));
}

function portOf(text: string): number {
  const port = text === '' ? 5432 : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new EngineFault(`The URL names an invalid port ${text}.`);
  return port;
}

function wishOf(text: string): SessionWish {
  const wish = wishes.find((each) => each === text);
  if (wish === undefined)
    throw new EngineFault(`target_session_attrs is ${text}; Granary writes, so it must be ${wishes.join(', ')}.`);
  return wish;
}

function tlsOf(parameters: URLSearchParams): TlsWishes {
  const asked = parameters.has('sslrootcert') || parameters.has('sslcert') ? 'require' : 'disable';
  const ssl = parameters.get('ssl');
  const plain = ssl === null || ssl === 'false' || ssl === '0' ? asked : 'verify-full';
  const mode = oneOf('sslmode', parameters, tlsModes) ?? plain;
  const file = (name: string): Record<string, string> => {
    const value = parameters.get(name);
    return value === null ? {} : { [name]: value };
  };
  return {
    mode,
    usualRoot: join(homedir(), '.postgresql', 'root.crt'),
    ...file('sslrootcert'),
    ...file('sslcert'),
    ...file('sslkey'),
    ...file('sslpassword'),
  };
}

function oneOf<const Word extends string>(
  name: string,
  parameters: URLSearchParams,
  words: readonly Word[],
): Word | undefined {
  const given = parameters.get(name);
  const word = words.find((each) => each === given);
  if (given !== null && word === undefined)
    throw new EngineFault(`${name} is ${given}, not one of ${words.join(', ')}.`);
  return word;
}

function wholeOf(name: string, parameters: URLSearchParams, otherwise: number): number {
  const given = parameters.get(name);
  if (given === null) return otherwise;
  if (!/^\d{1,9}$/.test(given)) throw new EngineFault(`${name} is ${given}, not a whole number.`);
  return Number(given);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EngineFault('The URL has a % that is not followed by two hexadecimal digits.');
  }
}
