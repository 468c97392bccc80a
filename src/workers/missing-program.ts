import { findOffice, findProgram, officePackages } from './convert/program.ts';
import type { WorkerName } from './worker-kinds.ts';

/** What brings Apertium to Debian and its kin; every pair of languages is a package more. */
export const apertiumPackages = ['apertium', 'apertium-eng-spa', 'zip', 'unzip'];

/** Why a worker cannot be there, and what to do about it; undefined where its program is installed. */
export async function missingFor(worker: WorkerName, hasService: boolean): Promise<string | undefined> {
  if (worker === 'convert') {
    return (await findOffice()) === undefined ? line(worker, 'LibreOffice', officePackages) : undefined;
  }
  if (hasService || (await findProgram('apertium')) !== undefined) return undefined;
  return line(worker, 'Apertium', apertiumPackages);
}

const line = (worker: WorkerName, program: string, packages: readonly string[]): string =>
  `the worker ${worker} is not available, because ${program} is not installed: apt-get install ${packages.join(' ')}`;
