import type { CommandFlag } from './command.ts';

/** Where a backup and a restore look for PostgreSQL's own programs. */
export const toolsFlag: CommandFlag = {
  placeholder: 'DIR',
  help: 'Where pg_dump and pg_restore are, or "none" to do without; they are found on the path otherwise.',
};
