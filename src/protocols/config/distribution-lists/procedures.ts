import type { AnyProcedure } from '../../../procedure/declare.ts';
import { dropPendingDistributionList } from './drop-pending-distribution-list.ts';
import { getPendingDistributionListsSinceVersion } from './get-pending-distribution-lists-since-version.ts';
import { putPendingDistributionList } from './put-pending-distribution-list.ts';

/** Distribution lists with an operation that waits for approval. */
export const distributionListProcedures: readonly AnyProcedure[] = [
  dropPendingDistributionList,
  getPendingDistributionListsSinceVersion,
  putPendingDistributionList,
];
