import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';

/** Milliseconds from one check of the scopes to the next compilation. */
const interval = 15 * 60_000;

/** Notes that the scopes were compiled as of now, and when the next compilation may start. */
export const noteCompiled = (db: Db, now: Date): Promise<number> =>
  db.run(sql`
    update scopes_system
    set last_compilation_time = ${now}, next_compilation_time = ${new Date(now.getTime() + interval)} where one = 1`);
