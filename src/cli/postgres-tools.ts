import type { CommandFlag } from './command.ts';

/** Where a backup and a restore search for PostgreSQL's own programs. */
export const toolsFlag: CommandFlag = {
  placeholder: 'DIR',
  help: 'The folder of pg_dump and pg_restore, or "none" to do without them. Default: found on the path.',
};
