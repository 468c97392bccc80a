import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileAt, replacedPrefix, restoringFolder, systemFile } from './files.ts';

/**
 * Describes a folder that has database files but no list of them. That is no first start: somebody has lost or emptied
 * granary.db, or a restore was interrupted, which brings the list last.
 */
export function lostList(folder: string): string | undefined {
  const list = fileAt(folder, systemFile);
  if ((statSync(list, { throwIfNoEntry: false })?.size ?? 0) > 0 || !existsSync(folder)) return undefined;
  const names = readdirSync(folder);
  const remains = names.filter((name) => name === restoringFolder || name.startsWith(replacedPrefix));
  if (remains.length > 0) {
    return (
      `${folder} has no databases but what a restore left that was interrupted: ${remains.join(', ')}. Restore again ` +
      '(granary restore FILE --force), or name another folder with --data.'
    );
  }
  const others = names.filter((name) => name.endsWith('.db') && name !== `${systemFile}.db`);
  if (others.length === 0) return undefined;
  return (
    `${list}, the list of the databases and logins, is ${existsSync(list) ? 'empty' : 'missing'}, but there are ` +
    `${others.join(', ')}. Restore it from a backup (granary restore), or name another folder with --data.`
  );
}
