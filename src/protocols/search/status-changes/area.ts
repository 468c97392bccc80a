import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { checkIfStatusChangeComplete } from './check-if-status-change-complete.ts';
import { completeStatusChange } from './complete-status-change.ts';
import { getComponentStatusUpToDate } from './get-component-status-up-to-date.ts';
import { getStatusChangeRequest } from './get-status-change-request.ts';
import { statusChangeRelations } from './relations.ts';
import { setStatusChangeRequest } from './set-status-change-request.ts';

/** Requests to pause, to resume and to reset, and how far components are with them. */
export const statusChanges: Area = {
  procedures: [
    checkIfStatusChangeComplete,
    completeStatusChange,
    getComponentStatusUpToDate,
    getStatusChangeRequest,
    setStatusChangeRequest,
  ],
  relations: statusChangeRelations,
  migrations: migrationsIn('search/status-changes', new URL('./migrations/', import.meta.url)),
};
