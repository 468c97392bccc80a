import type { AnyProcedure } from '../../../procedure/declare.ts';
import { clearProductVersions } from './clear-product-versions.ts';
import { getProductVersions } from './get-product-versions.ts';
import { registerProductVersion } from './register-product-version.ts';

/** What is installed on the servers of the farm. */
export const versionProcedures: readonly AnyProcedure[] = [
  clearProductVersions,
  getProductVersions,
  registerProductVersion,
];
