import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { datetime, int } from '../../../tds/types/index.ts';

const system = {
  lastChangeId: int,
  lastCompilationId: int,
  compilationChangeId: int,
  nextCompilationTime: orNull(datetime),
};

/** How far the compilation of scopes has come: the one record of the Scopes System Set. */
export type ScopesSystem = Row<typeof system>;

/** Reads the Scopes System Set. */
export async function scopesSystem(db: Db): Promise<ScopesSystem> {
  const found = await db.first(
    system,
    sql`
      select last_change_id as "lastChangeId", last_compilation_id as "lastCompilationId",
        compilation_change_id as "compilationChangeId", next_compilation_time as "nextCompilationTime"
      from scopes_system where one = 1`,
  );
  if (found === undefined) throw new Error('the table scopes_system has lost its row');
  return found;
}

/** True from the start of a compilation until all components that are ready have carried it out. */
export const isCompiling = ({ compilationChangeId, lastCompilationId }: ScopesSystem): boolean =>
  compilationChangeId > lastCompilationId;
