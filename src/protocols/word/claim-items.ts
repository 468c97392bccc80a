import { procedure } from '../../procedure/declare.ts';
import { claim, claimedItems, claimParams, nothingToClaim } from '../jobs/claims/claim.ts';
import { jobColumns, updatedGroups } from './update-conversion-batch.ts';

export const claimItems = procedure({
  name: 'ClaimItems',
  schema: 'granary',
  section: 'Granary',
  summary: 'Claims items for a worker: starts them, under leases that exclude all other claimants.',
  access: 'write',
  byRows: true,
  params: claimParams,
  outcomes: {
    done: {
      code: 0,
      meaning: 'The items that the worker holds now, and what is needed to convert them.',
      sets: { Items: claimedItems, Groups: updatedGroups },
    },
  },
  known: nothingToClaim,
  handle: (call, claiming) =>
    claim(call, claiming, {
      groups: updatedGroups,
      columns: jobColumns,
    }),
});
