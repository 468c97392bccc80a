import { silentLog } from '../../../src/base/log.ts';
import type { OfficeOptions } from '../../../src/workers/convert/office-pool.ts';
import { findOffice, officePackages } from '../../../src/workers/convert/program.ts';

/** LibreOffice, where it is installed. */
export const office = await findOffice();

/** Why tests that need it are skipped; false where they are not. */
export const withoutOffice: string | false =
  office === undefined && `LibreOffice is not installed: apt-get install ${officePackages.join(' ')}`;

/** How tests run it. */
export const officeOptions = (): OfficeOptions => ({
  program: office ?? '',
  instances: 1,
  timeout: 60_000,
  documents: 500,
  rest: 60_000,
  memory: 4 * 1024 ** 3,
  largestOutput: 1024 ** 3,
  log: silentLog,
});
