import { systemClock } from '../../../src/base/clock.ts';
import { settingsWith } from '../../../src/cli/resolve-settings.ts';
import { createEngine } from '../../../src/create-engine.ts';
import type { Database } from '../../../src/engine/db.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { createFirstDatabases } from '../../../src/first-start.ts';
import { allKinds } from '../../../src/kinds.ts';

/** Where a server's data is. */
export interface Place {
  readonly data: string;
  readonly engine: string;
}

/** Opens a server's databases in this process, fills them and closes them again. */
export async function fillStore(place: Place, fill: (engine: Engine) => Promise<void>): Promise<void> {
  await using engine = await createEngine(settingsWith(place));
  await engine.start();
  await createFirstDatabases(engine, allKinds, systemClock.now());
  await fill(engine);
}

/** A database that is there. */
export async function databaseOf(engine: Engine, name: string): Promise<Database> {
  const database = await engine.open(name);
  if (database === undefined) throw new Error(`there is no database ${name}`);
  return database;
}
