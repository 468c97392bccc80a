import { statSync } from 'node:fs';
import { backUp } from '../backup/back-up.ts';
import { postgresMoment, sqliteMoment } from '../backup/moments.ts';
import { engineUrl } from '../create-engine.ts';
import { EngineFault } from '../engine/fault.ts';
import type { Command } from './command.ts';
import { refuseWithoutData } from './data.ts';
import { codeOf, isOutOfRoom, messageOf, OperatorError, withRoom } from './errors.ts';
import { explained } from './explain.ts';
import { postgresFault } from './postgres-fault.ts';
import { toolsFlag } from './postgres-tools.ts';
import { ProgressBar } from './progress.ts';
import type { Settings } from './settings.ts';
import { productVersion } from './version-command.ts';

/** `granary backup`: everything, or one database, as of one moment. */
export const backupCommand: Command = {
  name: 'backup',
  args: ['FILE'],
  summary: 'Backs up all databases, or one, to a file at a single point in time, while the server is running.',
  details: [
    'The file is a tar archive compressed with zstd, with checksums and the version that wrote it. It contains the logins ' +
      'with their password hashes, and the server’s private key: only its owner can read it. Restore it with `granary restore`.',
    'PostgreSQL is read with pg_dump if one that is not older than the server is installed, otherwise by Granary itself. The ' +
      'output says which; either kind can be restored with or without PostgreSQL’s programs.',
  ],
  flags: {
    database: { placeholder: 'NAME', help: 'Only this database, without logins.' },
    force: { placeholder: '', help: 'Replace an existing file.', bare: true },
    tools: toolsFlag,
  },
  settings: ['all'],
  async run({ settings, args: [file = ''], flags, world }) {
    const { data, engine } = settings;
    refuseTaken(file, flags.has('force'));
    await refuseWithoutData(settings);
    using bar = new ProgressBar(world.stderr);
    const ending = world.ending();
    try {
      const only = flags.get('database');
      await using moment =
        engine === 'sqlite'
          ? await readable(settings, withRoom('A backup', data, sqliteMoment(data, only, ending)), ending)
          : await postgresMoment(engineUrl(settings), data, { only, tools: flags.get('tools') });
      const { databases, files } = await backUp(file, productVersion(), moment, bar.show, ending);
      const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
      bar.show('', 1);
      const count = only ?? `${databases.length - 1} databases and the logins`;
      world.stdout.write(
        `${count} as of ${moment.moment.toISOString()} in ${file} (${megabytes(bytes)} before compression).\n`,
      );
      if (moment.how !== undefined) world.stdout.write(`${moment.how()}\n`);
    } catch (error) {
      if (isOutOfRoom(error))
        throw new OperatorError(`There is not enough space for the backup ${file}. Nothing was left there.`, {
          cause: error,
        });
      if (ending.aborted)
        throw new OperatorError(
          `The backup to ${file} was interrupted before it was complete; nothing of it was left.`,
          {
            cause: error,
          },
        );
      if (unwritable.has(codeOf(error) ?? '')) throw notWritten(file, error);
      if (error instanceof EngineFault) throw new OperatorError(error.message, { cause: error });
      throw (engine === 'sqlite' ? undefined : await postgresFault(error, told)) ?? error;
    }
  },
};

const told = {
  before: 'the backup was complete',
  afterLoss: 'Nothing of it was left; back up again',
  refused: 'the backup',
  afterRefusal: 'Nothing of it was left',
};

/** What keeps the data from being read is about the data, not about the file that is to be written. */
async function readable<T>(settings: Settings, moment: Promise<T>, ending: AbortSignal): Promise<T> {
  try {
    return await moment;
  } catch (error) {
    if (error instanceof EngineFault || error instanceof OperatorError || ending.aborted) throw error;
    return await explained('engine', settings, Promise.reject(error));
  }
}

/** Refuses a name of something that a backup must not replace: a device would be lost like a file. */
function refuseTaken(file: string, mayReplace: boolean): void {
  const found = foundAt(file);
  if (found === undefined) return;
  if (found.isDirectory()) throw new OperatorError(`${file} is a folder; specify a file name.`);
  if (!found.isFile()) throw new OperatorError(`${file} is not a file and cannot be replaced by one.`);
  if (!mayReplace) throw new OperatorError(`${file} already exists; --force replaces it.`);
}

function foundAt(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw notWritten(file, error);
  }
}

const notWritten = (file: string, error: unknown): OperatorError =>
  new OperatorError(`The backup cannot be written to ${file}: ${messageOf(error)}.`, { cause: error });

/** The system's error for a place where files cannot be created. */
const unwritable: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR']);

const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
