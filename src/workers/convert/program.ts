import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

/** The Debian packages of LibreOffice, without a user interface. */
export const officePackages = ['libreoffice-writer-nogui', 'libreoffice-calc-nogui', 'libreoffice-impress-nogui'];

/** Where it may be if it is not in the PATH. */
const usualFolders = ['/usr/lib/libreoffice/program', '/opt/libreoffice/program'];

/** The LibreOffice binary that `soffice` finally starts, or undefined if none is installed. */
export async function findOffice(path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  for (const folder of [...path.split(delimiter).filter((each) => each !== ''), ...usualFolders]) {
    const launcher = await realpath(join(folder, 'soffice')).catch(() => undefined);
    if (launcher === undefined) continue;
    const program = join(dirname(launcher), 'soffice.bin');
    if (await isExecutable(program)) return program;
  }
  return undefined;
}

/** Finds a program in the PATH. */
export async function findProgram(name: string, path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
