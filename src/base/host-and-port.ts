import { isIPv6 } from 'node:net';

/** An address as people write it and URLs need it: an IPv6 address in brackets. */
export const hostAndPort = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;
