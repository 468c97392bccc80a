/** The parts of a PostgreSQL URL: `postgres://user:password@host:port,host:port/database?name=value`. */
interface UrlParts {
  /** The text before the password, the password, and the rest; the password is encoded, and empty if there is none. */
  readonly user: string;
  readonly password: string;
  readonly hosts: string;
  readonly database: string;
  readonly parameters: URLSearchParams;
}

const form = /^(postgres(?:ql)?:\/\/)(?:([^/?#@:]*)(?::([^/?#]*))?@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** Splits a URL as libpq does, with several hosts; undefined if it is not one. */
export function urlParts(url: string): UrlParts | undefined {
  const match = form.exec(url);
  if (match === null) return undefined;
  const [, , user = '', password = '', hosts = '', database = '', parameters = ''] = match;
  if (user + hosts + database + parameters === '') return undefined;
  return { user, password, hosts, database, parameters: new URLSearchParams(parameters.replaceAll('+', '%2B')) };
}

/** The same URL with another password. */
export function withPassword(url: string, password: string): string {
  const encoded = encodeURIComponent(password);
  const parts = urlParts(url);
  return parts === undefined ? url : joined(url, { ...parts, password: encoded });
}

/** The URL as it may be displayed, without its password. */
export function withoutPassword(url: string): string {
  const parts = urlParts(url);
  if (parts === undefined) return '(an address)';
  for (const name of secrets) if (parts.parameters.has(name)) parts.parameters.set(name, '***');
  return joined(url, { ...parts, password: parts.password === '' ? '' : '***' });
}

const secrets = ['password', 'sslpassword'];

export const hasPassword = (url: string): boolean => {
  const parts = urlParts(url);
  return parts !== undefined && (parts.password !== '' || parts.parameters.has('password'));
};

function joined(url: string, { user, password, hosts, database, parameters }: UrlParts): string {
  const scheme = url.slice(0, url.indexOf('//') + 2);
  const who = user === '' && password === '' ? '' : `${user}${password === '' ? '' : `:${password}`}@`;
  const asked = parameters.toString();
  return `${scheme}${who}${hosts}/${database}${asked === '' ? '' : `?${asked}`}`;
}
