import { sqlError } from '../base/sql-error.ts';
import type { RequestContext } from './ready.ts';

/** Takes the rows that follow an INSERT BULK statement. */
export class BulkLoad {
  async load(_payload: Buffer, _request: RequestContext): Promise<void> {
    throw sqlError(4002);
  }
}
