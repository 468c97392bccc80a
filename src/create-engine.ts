import { accountsSchema } from './accounts/schema.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { type Log, silentLog } from './base/log/log.ts';
import type { Settings } from './cli/settings.ts';
import type { Engine } from './engine/engine.ts';
import { withPassword } from './engine/postgres/connect/url.ts';
import { allKinds } from './kinds.ts';
import type { Kind } from './procedure/kind.ts';

/** What an engine is put together from, besides the settings. */
export interface EngineParts {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly kinds?: readonly Kind[];
  /** What happens when a database can keep nothing more. */
  readonly lost?: (database: string, error: Error) => void;
}

/** The engine that the settings name, not yet started; the driver of the other one is not loaded at all. */
export async function createEngine(
  settings: Settings,
  { clock = systemClock, log = silentLog, kinds = allKinds, lost = () => {} }: EngineParts = {},
): Promise<Engine> {
  const schemas = [accountsSchema, ...kinds.map(({ schema }) => schema)];
  if (settings.engine === 'sqlite') {
    const { SqliteEngine } = await import('./engine/sqlite/engine.ts');
    return new SqliteEngine({ folder: settings.data, longestLog: settings.maxLogSize, schemas, clock, log, lost });
  }
  const { PostgresEngine } = await import('./engine/postgres/engine.ts');
  const { engineTimeout: patience, nodeTimeout: longestRest, engineConnections: mostConnections } = settings;
  const url = engineUrl(settings);
  return new PostgresEngine({ url, patience, longestRest, mostConnections, schemas, clock, log, lost });
}

/** The address of PostgreSQL, with the password where that was given apart. */
export function engineUrl({ engine, enginePassword }: Settings): string {
  return enginePassword === undefined ? engine : withPassword(engine, enginePassword);
}
