/** The most characters of a URL that the columns of URLs hold. */
export const longestUrl = 1500;

/** So much is shown of one that is longer. */
export const shownOfUrl = 250;

/** What the crawler can read. */
const schemes = new Set(['http:', 'https:', 'file:']);

/** No host has a longer name (RFC 1035 2.3.4), and the columns of hosts hold little more. */
const longestHostName = 255;

/** True for the beginning of a URL that is too long to be crawled. */
export const isTooLong = (url: string): boolean => url.length > longestUrl;

/** The spelling of a URL under which it is crawled, or undefined for what is no URL to crawl, as one too long is. */
export function normalUrl(href: string, base?: string): string | undefined {
  const url = spelledUrl(href, base);
  return url === undefined || isTooLong(url) ? undefined : url;
}

/**
 * The one spelling of a URL: without fragment and credentials, host in lower case, no default port, dots resolved,
 * escapes in capitals and only where they are needed; undefined for what cannot be crawled. One that is too long is cut
 * off after the first character that is too many.
 */
export function spelledUrl(href: string, base?: string): string | undefined {
  const url = URL.parse(href.trim(), base);
  if (url === null || !schemes.has(url.protocol)) return undefined;
  if (url.protocol !== 'file:' && url.hostname === '') return undefined;
  if (url.hostname.length > longestHostName) return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.pathname = normalEscapes(url.pathname);
  // A question mark without a query is removed.
  if (url.search === '') url.search = '';
  const written = url.href;
  // A copy: a slice would keep all of it.
  return isTooLong(written) ? Buffer.from(written.slice(0, longestUrl + 1)).toString() : written;
}

const unreserved = /[\w.~-]/;

/** Escapes of what need not be escaped are undone, the others are written in capitals (RFC 3986 6.2.2). */
export function normalEscapes(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (whole, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(letter) ? letter : whole.toUpperCase();
  });
}

/** The name under which the files of this machine have a host identifier. */
const fileHost = 'localhost';

/** The host that a URL is crawled at: name and port; nothing for what is no URL, as other clients may have stored. */
export function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return '';
  return parsed.protocol === 'file:' ? fileHost : parsed.host;
}

/** The End Path Flags of a URL that is both accessed and shown (2.2.2.4). */
export const endPathFlag = (url: string): number => (url.endsWith('/') ? 3 : 0);

/** The extension of the file that a URL names, in lower case and without its dot, or nothing. */
export function extensionOf(url: string): string {
  const [, extension = ''] = /\.([a-z0-9]{1,8})$/i.exec(new URL(url).pathname) ?? [];
  return extension.toLowerCase();
}
