import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { checkIfStatusChangeComplete } from './check-if-status-change-complete.ts';
import { completeStatusChange } from './complete-status-change.ts';
import { createNewComponentRecord } from './create-new-component-record.ts';
import { getComponentStatusUpToDate } from './get-component-status-up-to-date.ts';
import { getPauseCrawlsReasons } from './get-pause-crawls-reasons.ts';
import { getPauseStatus } from './get-pause-status.ts';
import { getStatusChangeRequest } from './get-status-change-request.ts';
import { isPauseCrawlsPortalContentDone } from './is-pause-crawls-portal-content-done.ts';
import { isSystemPausedForRefactoring } from './is-system-paused-for-refactoring.ts';
import { statusChangeRelations } from './relations.ts';
import { setRequestToPauseCrawlsPortalContent } from './set-request-to-pause-crawls-portal-content.ts';
import { setStatusChangeRequest } from './set-status-change-request.ts';

/** Requests to pause, to resume and to reset, and how far components are with them. */
export const statusChanges: Area = {
  procedures: [
    checkIfStatusChangeComplete,
    completeStatusChange,
    getComponentStatusUpToDate,
    getStatusChangeRequest,
    setStatusChangeRequest,
    createNewComponentRecord,
    getPauseCrawlsReasons,
    getPauseStatus,
    isPauseCrawlsPortalContentDone,
    isSystemPausedForRefactoring,
    setRequestToPauseCrawlsPortalContent,
  ],
  relations: statusChangeRelations,
  migrations: migrationsIn('search/status-changes', new URL('./migrations/', import.meta.url)),
};
