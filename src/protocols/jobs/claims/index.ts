import { endWorker } from './end-worker.ts';
import { failItem } from './fail-item.ts';
import { finishItem } from './finish-item.ts';
import { finishItems } from './finish-items.ts';
import { getItemStates } from './get-item-states.ts';
import { getWorkInProgress } from './get-work-in-progress.ts';
import { getWorkers } from './get-workers.ts';
import { noteOutput } from './note-output.ts';
import { renewItems } from './renew-items.ts';
import { returnItem } from './return-item.ts';
import { waitForWork } from './wait-for-work.ts';

/** The procedures for workers besides ClaimItems, which each protocol declares itself. */
export const claims = {
  renewItems,
  finishItem,
  finishItems,
  noteOutput,
  failItem,
  returnItem,
  endWorker,
  waitForWork,
  getWorkInProgress,
  getWorkers,
  getItemStates,
};
