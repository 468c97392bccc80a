/** The most characters of a URL that the columns of URLs hold. */
const longest = 1500;

/** What the crawler can read. */
const schemes = new Set(['http:', 'https:', 'file:']);

/**
 * The one spelling of a URL under which it is crawled, or undefined for what is no URL to crawl: without fragment and
 * credentials, host in lower case, no default port, dots resolved, escapes in capitals and only where they are needed.
 */
export function normalUrl(href: string, base?: string): string | undefined {
  const url = URL.parse(href.trim(), base);
  if (url === null || !schemes.has(url.protocol)) return undefined;
  if (url.protocol !== 'file:' && url.hostname === '') return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.pathname = normalEscapes(url.pathname);
  const written = url.href.replace(/\?$/, '');
  return written.length > longest ? undefined : written;
}

const unreserved = /[\w.~-]/;

/** Escapes of what need not be escaped are undone, the others are written in capitals (RFC 3986 6.2.2). */
function normalEscapes(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (whole, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(letter) ? letter : whole.toUpperCase();
  });
}

/** The name under which the files of this machine have a host identifier. */
const fileHost = 'localhost';

/** The host that a URL is crawled at: name and port. */
export function hostOf(url: string): string {
  const { host, protocol } = new URL(url);
  return protocol === 'file:' ? fileHost : host;
}

/** The End Path Flags of a URL that is both accessed and shown (2.2.2.4). */
export const endPathFlag = (url: string): number => (url.endsWith('/') ? 3 : 0);

/** The extension of the file that a URL names, in lower case and without its dot, or nothing. */
export function extensionOf(url: string): string {
  const [, extension = ''] = /\.([a-z0-9]{1,8})$/i.exec(new URL(url).pathname) ?? [];
  return extension.toLowerCase();
}
