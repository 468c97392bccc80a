import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WorkError } from '../work-error.ts';

/**
 * The URL of an item's file: its name is relative to the root of its group and written as in a URL
 * (`Aenean%20nec.docx`). Without a root, the name is a URL by itself. A name does not lead out of its root.
 */
export function itemUrl(root: string | null, name: string): URL {
  if (root === null || root === '') return parsed(name, undefined, name);
  const base = parsed(isAbsolute(root) ? pathToFileURL(root).href : root, undefined, root);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const url = parsed(asReference(name), base.href, name);
  if (!isBelow(url, base)) throw new WorkError('notAllowed', `The name '${shown(name)}' escapes its root.`);
  return url;
}

/** Whether a URL is in the folder that another names. */
export function isBelow(url: URL, folder: URL): boolean {
  return (
    url.protocol === folder.protocol &&
    url.host === folder.host &&
    url.pathname.startsWith(folder.pathname) &&
    url.pathname !== folder.pathname
  );
}

/** Characters that a name may well have, and that would end or change a URL. */
const asReference = (name: string): string =>
  name
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F')
    // `a:b.docx` is a name and no scheme.
    .replace(/^(?=[^/]*:)/, './');

function parsed(text: string, base: string | undefined, name: string): URL {
  const url = URL.parse(text, base);
  if (url === null) throw new WorkError('badName', `'${shown(name)}' names no file: it has no root and is not a URL.`);
  if (url.protocol !== 'config:' && /%2f|%5c|%00/i.test(url.pathname)) {
    throw new WorkError('badName', `The name '${shown(name)}' contains an encoded slash or NUL.`);
  }
  return url;
}

const shown = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}…` : name);
