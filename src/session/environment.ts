import type { SessionOptions } from '../tsql/options.ts';
import type { SessionState } from '../tsql/session-state.ts';
import type { CurrentDatabase } from './current-database.ts';
import type { RequestLog } from './requests/request-log.ts';

/** The state that a request finds and may change for later ones; with MARS each active request has its own. */
export interface Environment
  extends Readonly<Pick<SessionState, 'identity' | 'identityInsert' | 'rowCount' | 'error' | 'bulk'>> {
  readonly options: SessionOptions;
  readonly database: CurrentDatabase;
  readonly log: RequestLog['mark'];
}
