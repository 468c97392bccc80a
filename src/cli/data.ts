import { existsSync } from 'node:fs';
import { Accounts } from '../accounts/accounts.ts';
import { Administration } from '../accounts/administration.ts';
import { systemClock } from '../base/clock.ts';
import { createEngine, engineUrl } from '../create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { withoutPassword } from '../engine/postgres/connect/url.ts';
import { fileAt, systemFile } from '../engine/sqlite/files/files.ts';
import { lostList } from '../engine/sqlite/files/lost-list.ts';
import { contentsOfNew } from '../first-start.ts';
import { allKinds } from '../kinds.ts';
import { DataOfAnother, refuseForeignRoot } from './data-owner.ts';
import { codeOf, messageOf, OperatorError } from './errors.ts';
import { explained } from './explain.ts';
import type { Settings } from './settings.ts';

/** The data, opened while a server may be running on it. */
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
  if (!mayCreate) await refuseWithoutData(settings);
  else refuseForeignRootIn(settings);
  await using engine = await createEngine(settings);
  await explained('engine', settings, engine.start());
  const accounts = new Accounts(engine.system, { clock: systemClock });
  const administration = new Administration(engine, accounts, contentsOfNew(allKinds));
  return await work({ engine, accounts, administration });
}

/** Refuses a place without data: a mistyped name must neither be reported as sound nor create data. */
export async function refuseWithoutData(settings: Settings): Promise<void> {
  const { data, engine } = settings;
  if (engine === 'sqlite') {
    if (!existsSync(fileAt(data, systemFile))) throw new OperatorError(absence(data));
    refuseForeignRootIn(settings);
    return;
  }
  const { hasGranary } = await import('../engine/postgres/connect/has-granary.ts');
  if (await explained('engine', settings, hasGranary(engineUrl(settings)))) return;
  const where = withoutPassword(engine);
  throw new OperatorError(
    `There is no data in ${where}. Start a server there first, or specify another with --engine.`,
  );
}

function refuseForeignRootIn({ data, engine }: Settings): void {
  if (engine !== 'sqlite') return;
  try {
    refuseForeignRoot(data);
  } catch (error) {
    throw new OperatorError(
      error instanceof DataOfAnother ? error.message : `The data folder ${data} cannot be used: ${messageOf(error)}.`,
      { cause: error },
    );
  }
}

/** The error for missing data; to `existsSync`, a folder that this user may not read is like one without data. */
function absence(folder: string): string {
  try {
    return (
      lostList(folder) ??
      `There is no data in ${folder}. Start a server there first, or specify the folder with --data.`
    );
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
    return `This user cannot access ${folder}. Run the command as the user that the server runs as.`;
  }
}
