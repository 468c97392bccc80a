import { silentLog } from '../../../src/base/log/log.ts';
import type { OfficeOptions } from '../../../src/workers/convert/office-pool.ts';
import { findOffice } from '../../../src/workers/convert/program.ts';
import { workerPackages } from '../../clients/packages.ts';
import { missing } from '../../clients/run.ts';

/** Why tests that need LibreOffice are skipped; false where they are not. */
export const withoutOffice: string | false = missing(workerPackages.office) ?? false;

/** How tests run it. */
export const officeOptions = async (): Promise<OfficeOptions> => ({
  program: (await findOffice()) ?? '',
  instances: 1,
  timeout: 60_000,
  documents: 500,
  rest: 60_000,
  memory: 4 * 1024 ** 3,
  largestOutput: 1024 ** 3,
  log: silentLog,
});
