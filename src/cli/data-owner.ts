import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileAt, systemFile } from '../engine/sqlite/files/files.ts';

const root = 0;

/** The data is another user's, and root would leave files in it. */
export class DataOfAnother extends Error {
  override readonly name = 'DataOfAnother';

  constructor(folder: string, owner: number) {
    super(
      `The data in ${folder} belongs to user ${owner}, who could not open the files that root would create there. ` +
        `Run the command as that user: sudo -u '#${owner}' granary …`,
    );
  }
}

/**
 * Refuses root the data of another user: a server of that user would no longer start with files that only root can
 * read. A folder without data may belong to anybody: root's first start in a container finds one of the user outside.
 */
export function refuseForeignRoot(folder: string): void {
  if (process.geteuid?.() !== root) return;
  const owner = statSync(fileAt(folder, systemFile), { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && owner !== root && ownerOfNew(folder) === root) throw new DataOfAnother(folder, owner);
}

/** Whose the files are that this process makes: shares of other machines give all files one owner. */
function ownerOfNew(folder: string): number {
  const path = join(folder, `.owner-${process.pid}`);
  const file = openSync(path, 'wx', 0o600);
  try {
    return fstatSync(file).uid;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
