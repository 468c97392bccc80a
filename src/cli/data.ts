import { existsSync } from 'node:fs';
import { Accounts } from '../accounts/accounts.ts';
import { Administration } from '../accounts/administration.ts';
import { systemClock } from '../base/clock.ts';
import { createEngine } from '../create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { fileAt, systemFile } from '../engine/sqlite/files.ts';
import { lostList } from '../engine/sqlite/lost-list.ts';
import { fillNew } from '../first-start.ts';
import { allKinds } from '../kinds.ts';
import { OperatorError } from './errors.ts';
import { explained } from './explain.ts';
import type { Settings } from './settings.ts';

/** The data, opened beside a server that may be running on it. */
interface OpenData {
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly administration: Administration;
}

/** Opens the data for one piece of work; only a command that makes something may make the data. */
export async function withData<T>(
  settings: Settings,
  work: (data: OpenData) => Promise<T>,
  { mayCreate = false } = {},
): Promise<T> {
  const { data, engine: where } = settings;
  if (where === 'sqlite' && !mayCreate && !existsSync(fileAt(data, systemFile))) {
    throw new OperatorError(
      lostList(data) ?? `There is no data in ${data}. Start a server there first, or name the folder with --data.`,
    );
  }
  await using engine = await createEngine(settings);
  await explained('engine', settings, engine.start());
  const accounts = new Accounts(engine.system, { clock: systemClock });
  const administration = new Administration(engine, accounts, fillNew(engine, allKinds));
  return await work({ engine, accounts, administration });
}
