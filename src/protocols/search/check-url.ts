import { ruleBroken } from '../../base/messages/sql-error.ts';

/** Throws unless the text is a URL with a host, or of this machine's files, that a column of URLs can hold. */
export function checkUrl(url: string): void {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.host === '' && parsed.protocol !== 'file:'))
    throw ruleBroken(`'${url}' is not a URL with a host.`);
  if (url.length > 1500) throw ruleBroken('A URL can have at most 1,500 characters.');
}
