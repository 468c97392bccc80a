import { addScope } from '../../protocols/search/scopes/add-scope.ts';
import type { Command } from '../command.ts';
import { database, withAdmin } from './admin-database.ts';

const add: Command = {
  name: 'search scope add',
  args: ['NAME'],
  summary: 'Adds a search scope: everything, or what is below some URLs. Components compile it when they next ask.',
  flags: {
    url: { placeholder: 'URL', help: 'A folder whose contents are in the scope; several may be given.', several: true },
    database,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('url') ?? [];
    const id = await withAdmin(invocation, (admin) => admin.write((db) => addScope(db, name, urls), { serial: true }));
    invocation.world.stdout.write(`Scope ${id} added: ${name}.\n`);
  },
};

/** What is done with scopes. */
export const scopeCommands: readonly Command[] = [add];
