import { existsSync, readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity, getCACertificates } from 'node:tls';
import { EngineFault } from '../../fault.ts';

/** libpq's names for the TLS modes. */
export const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** What a URL specifies about TLS; files by their names. */
export interface TlsWishes {
  readonly mode: (typeof tlsModes)[number];
  readonly sslrootcert?: string;
  readonly sslcert?: string;
  readonly sslkey?: string;
  readonly sslpassword?: string;
  /** Where libpq looks for certificate authorities if none are given. */
  readonly usualRoot: string;
}

/** The attempts at a server, in order: TLS with these options, or none. */
export function tlsAttempts(wishes: TlsWishes, host: string): (ConnectionOptions | false)[] {
  switch (wishes.mode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, tlsOptions(wishes, host)];
    case 'prefer':
      return [tlsOptions(wishes, host), false];
    default:
      return [tlsOptions(wishes, host)];
  }
}

/** `require` with an authority means `verify-ca`, as in libpq. */
function tlsOptions(wishes: TlsWishes, host: string): ConnectionOptions {
  const { mode, sslrootcert, sslcert, sslkey, sslpassword } = wishes;
  const own = {
    ...(sslcert === undefined ? {} : { cert: contentOf(sslcert) }),
    ...(sslkey === undefined ? {} : { key: contentOf(sslkey) }),
    ...(sslpassword === undefined ? {} : { passphrase: sslpassword }),
  };
  const isFull = mode === 'verify-full';
  if (!isFull && mode !== 'verify-ca' && !(mode === 'require' && sslrootcert !== undefined))
    return { ...own, rejectUnauthorized: false };
  return {
    ...own,
    ...authorities(wishes),
    rejectUnauthorized: true,
    checkServerIdentity: (_name, certificate) => (isFull ? checkServerIdentity(host, certificate) : undefined),
  };
}

function authorities({ sslrootcert, usualRoot }: TlsWishes): Pick<ConnectionOptions, 'ca'> {
  if (sslrootcert === 'system') return { ca: [...getCACertificates('system')] };
  if (sslrootcert !== undefined) return { ca: contentOf(sslrootcert) };
  return existsSync(usualRoot) ? { ca: contentOf(usualRoot) } : {};
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EngineFault(`The file ${file} of the URL cannot be read.`, { cause: error });
  }
}
