import { addScope } from '../../protocols/search/topology/extensions/add-scope.ts';
import type { Command } from '../command.ts';
import { placeFlags, withClient } from '../place.ts';

const add: Command = {
  name: 'search scope add',
  args: ['NAME'],
  summary: 'Adds a search scope: everything, or what is below some URLs. Components compile it when they next ask.',
  flags: {
    url: { placeholder: 'URL', help: 'A folder whose contents are in the scope; several may be given.', several: true },
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('url') ?? [];
    const asked = { Name: name, Urls: JSON.stringify(urls) };
    const { output } = await withClient(invocation, (admin) => admin.call(addScope, asked));
    invocation.world.stdout.write(`Scope ${output.ScopeID} added: ${name}.\n`);
  },
};

/** What is done with scopes. */
export const scopeCommands: readonly Command[] = [add];
