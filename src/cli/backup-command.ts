import { existsSync } from 'node:fs';
import { backUp } from '../backup/back-up.ts';
import { postgresMoment, sqliteMoment } from '../backup/moments.ts';
import { engineUrl } from '../create-engine.ts';
import { EngineFault } from '../engine/fault.ts';
import { fileAt, systemFile } from '../engine/sqlite/files.ts';
import { lostList } from '../engine/sqlite/lost-list.ts';
import type { Command } from './command.ts';
import { isOutOfRoom, OperatorError } from './errors.ts';
import { toolsFlag } from './postgres-tools.ts';
import { ProgressBar } from './progress.ts';
import { productVersion } from './version-command.ts';

/** `granary backup`: everything, or one database, as it is at one moment. */
export const backupCommand: Command = {
  name: 'backup',
  args: ['FILE'],
  summary: 'Writes all databases, or one, into a file, as they are at one moment, while the server runs.',
  details: [
    'The file is a tar archive compressed by zstd, with checksums and the release that wrote it. It holds logins with the ' +
      'hashes of their passwords, and the server’s key: only its owner may read it. `granary restore` takes it.',
    'PostgreSQL is read by pg_dump where one is installed that is not older than it, else by Granary itself. It says which; ' +
      'either can be restored with or without PostgreSQL’s programs.',
  ],
  flags: {
    database: { placeholder: 'NAME', help: 'Only this database, without logins.' },
    force: { placeholder: '', help: 'Replaces a file that is there.', bare: true },
    tools: toolsFlag,
  },
  settings: ['all'],
  async run({ settings, args: [file = ''], flags, world }) {
    const { data, engine } = settings;
    if (existsSync(file) && !flags.has('force'))
      throw new OperatorError(`${file} is there already; --force replaces it.`);
    if (engine === 'sqlite' && !existsSync(fileAt(data, systemFile)))
      throw new OperatorError(lostList(data) ?? `There is no data in ${data}.`);
    using bar = new ProgressBar(world.stderr);
    try {
      const only = flags.get('database');
      await using moment =
        engine === 'sqlite'
          ? await sqliteMoment(data, only)
          : await postgresMoment(engineUrl(settings), data, { only, tools: flags.get('tools') });
      const { databases, files } = await backUp(file, productVersion(), moment, bar.show);
      const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
      bar.show('', 1);
      const count = only ?? `${databases.length - 1} databases and the logins`;
      world.stdout.write(
        `${count} as of ${moment.moment.toISOString()} in ${file} (${megabytes(bytes)} before compression).\n`,
      );
      if (moment.how !== undefined) world.stdout.write(`${moment.how()}\n`);
    } catch (error) {
      if (isOutOfRoom(error))
        throw new OperatorError(`There is no room for the backup where ${file} is. Nothing was left there.`, {
          cause: error,
        });
      if (error instanceof EngineFault) throw new OperatorError(error.message, { cause: error });
      throw error;
    }
  },
};

const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
