import { pathToFileURL } from 'node:url';

/** A database file that is not created if it is missing: one that was deleted from outside must not come back empty. */
export function existingFile(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return url;
}
