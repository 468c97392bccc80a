import { searchAdmin } from '../../protocols/search/kinds/search-admin.ts';
import type { CommandFlag } from '../command.ts';

/** Which search administration database a command is about. */
export const database: CommandFlag = {
  placeholder: 'NAME',
  help: `The search administration database. Default: ${searchAdmin.firstDatabase}.`,
};
