import type { Db } from '../../engine/db.ts';
import { procedure } from '../../procedure/declare.ts';
import { optional } from '../../procedure/param.ts';
import { bit } from '../../tds/types/index.ts';
import { claim, claimable, claimedItems, claimParams, nothingToClaim } from '../jobs/claims/claim.ts';
import type { Narrowing } from '../jobs/hand-out.ts';
import { interleaved } from './interleave.ts';
import { jobColumns, updatedGroups } from './update-conversion-batch.ts';

const dealt = (db: Db, most: number, narrowing: Narrowing) => interleaved(db, claimable, most, narrowing);

export const claimItems = procedure({
  name: 'ClaimItems',
  schema: 'granary',
  section: 'Granary',
  summary: 'Claims items for a worker: starts them, under leases that exclude all other claimants.',
  access: 'write',
  byRows: true,
  params: {
    ...claimParams,
    Interleaved: optional(bit, false, 'One shares items not started out evenly among partitions.'),
  },
  outcomes: {
    done: {
      code: 0,
      meaning: 'The items that the worker holds now, and what is needed to translate them.',
      sets: { Items: claimedItems, Groups: updatedGroups },
    },
  },
  known: nothingToClaim,
  handle(call, { Interleaved, ...claiming }) {
    return claim(call, claiming, {
      ...(Interleaved === true ? { dealt } : {}),
      groups: updatedGroups,
      columns: jobColumns,
    });
  },
});
