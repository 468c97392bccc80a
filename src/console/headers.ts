import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** The security headers of every answer: nothing from other hosts, nothing inline, in no frame. */
export const safety: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** True if the request came over TLS. */
const isEncrypted = (request: IncomingMessage): boolean => (request.socket as Partial<TLSSocket>).encrypted === true;

/** The value of a cookie. */
export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  // Looked for, not cut into all there are: strangers send thousands.
  const cookies = `;${request.headers.cookie ?? ''}`;
  const start = new RegExp(`;\\s*${name}=`).exec(cookies);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const end = cookies.indexOf(';', from);
  return cookies.slice(from, end < 0 ? undefined : end).trimEnd();
}

/** The name of the cookie of visits: browsers keep the cookies of all ports of a host together. */
export const visitCookie = (request: IncomingMessage): string =>
  `${isEncrypted(request) ? '__Host-' : ''}granary_${request.socket.localPort}`;

/** What sets the cookie of visits; without a value it is taken away. */
export function setVisitCookie(request: IncomingMessage, value: string | undefined): string {
  const secure = isEncrypted(request) ? '; Secure' : '';
  return `${visitCookie(request)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Strict${secure}${value === undefined ? '; Max-Age=0' : ''}`;
}

/**
 * True if a browser sent the request: browsers authenticate their user to any page that requests it, without asking the
 * user.
 */
export const isOfBrowser = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;

/** True if a request comes from a page of this server, or from no page at all, according to the browser. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === `${isEncrypted(request) ? 'https' : 'http'}://${host}`;
}

/** The header that has a browser keep what it gets as a file of a name (RFC 6266), whatever is in the name. */
export function keptAs(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_');
  // Half a surrogate pair has no UTF-8; these four characters must be escaped in the value (RFC 8187).
  const coded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
}
