import type { SessionOptions } from '../tsql/options.ts';
import type { SessionState } from '../tsql/session-state.ts';
import type { CurrentDatabase } from './current-database.ts';
import type { RequestLog } from './request-log.ts';

/** What a request finds and may change for those that follow it: with MARS, each that runs has one of its own. */
export interface Environment
  extends Readonly<Pick<SessionState, 'identity' | 'identityInsert' | 'rowCount' | 'error' | 'bulk'>> {
  readonly options: SessionOptions;
  readonly database: CurrentDatabase;
  readonly log: RequestLog['mark'];
}
