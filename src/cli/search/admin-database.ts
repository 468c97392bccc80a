import type { Database } from '../../engine/db.ts';
import { search } from '../../protocols/search/kinds/search.ts';
import { searchAdmin } from '../../protocols/search/kinds/search-admin.ts';
import type { CommandFlag, Invocation } from '../command.ts';
import { type OpenData, withData } from '../data.ts';
import { OperatorError } from '../errors.ts';

/** Which search administration database a command is about. */
export const database: CommandFlag = {
  placeholder: 'NAME',
  help: `The search administration database; ${searchAdmin.firstDatabase} unless given.`,
};

/** Opens the search administration database that a command names, for one piece of work. */
export const withAdmin = <T>(
  { settings, flags }: Invocation,
  work: (admin: Database, data: OpenData) => Promise<T>,
): Promise<T> =>
  withData(settings, async (data) => {
    const name = flags.get('database') ?? searchAdmin.firstDatabase;
    const admin = await data.engine.open(name);
    if (admin === undefined) throw new OperatorError(`There is no database ${name}.`);
    if (admin.kind !== searchAdmin.name && admin.kind !== search.name) {
      throw new OperatorError(`The database ${admin.name} is of kind ${admin.kind}, not ${searchAdmin.name}.`);
    }
    return await work(admin, data);
  });
