import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { CrawlError } from './crawl-error.ts';
import { isPrivate } from './private-addresses.ts';

/** How names are resolved; a test provides its own. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveByDns: Resolve = (hostname, done) => lookup(hostname, { all: true }, done);

interface GuardOptions {
  /** Milliseconds until a connection must be established. */
  readonly timeout: number;
  /** Hosts, each with its port, that may have private addresses: those that start addresses name. */
  readonly isTrusted: (host: string) => boolean;
  readonly resolve?: Resolve;
}

/**
 * Connects to public addresses only, unless the host is trusted. Addresses are checked when the name is resolved, and
 * the address actually connected is checked again: a name that resolves differently a moment later gains nothing.
 */
export function guardedConnect({ timeout, isTrusted, resolve = resolveByDns }: GuardOptions): buildConnector.connector {
  const free = buildConnector({ timeout, lookup: lookupAmong(resolve, () => true) });
  const guarded = buildConnector({ timeout, lookup: lookupAmong(resolve, (address) => !isPrivate(address)) });
  return (options, done) => {
    const { hostname, port, protocol } = options;
    const isDefault = (protocol === 'https:' ? '443' : '80') === port || port === '';
    const literal = hostname.replace(/^\[|\]$/g, '');
    // A URL has brackets around an IPv6 address, which undici removes.
    const host = isIP(literal) === 6 ? `[${literal}]` : hostname;
    if (isTrusted(isDefault ? host : `${host}:${port}`)) return free(options, done);
    if (isIP(literal) !== 0 && isPrivate(literal)) return done(refused(hostname), null);
    guarded(options, (...result) => {
      const [error, socket] = result;
      if (error === null && isPrivate(socket.remoteAddress ?? '')) {
        socket.destroy();
        done(refused(hostname), null);
      } else done(...result);
    });
  };
}

function lookupAmong(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, '', 0);
      const family = options.family === 4 || options.family === 6 ? options.family : undefined;
      const fitting = addresses.filter((each) => family === undefined || each.family === family);
      const allowed = fitting.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return done(fitting.length > 0 ? refused(hostname) : noAddress(hostname), '', 0);
      if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

const refused = (hostname: string) =>
  new CrawlError('privateAddress', `${hostname} is not on the public Internet, and no start address names it.`);
const noAddress = (hostname: string) => new CrawlError('hostNotFound', `${hostname} has no address.`);
