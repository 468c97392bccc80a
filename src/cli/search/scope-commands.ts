import { addScope } from '../../protocols/search/topology/extensions/add-scope.ts';
import type { Command } from '../command.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

const add: Command = {
  name: 'search scope add',
  args: ['NAME'],
  summary:
    'Adds a search scope: everything, or what is below the given URLs. Components compile it at their next check.',
  flags: {
    url: { placeholder: 'URL', help: 'A folder whose contents are in the scope; can be repeated.', several: true },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('url') ?? [];
    const asked = { Name: name, Urls: JSON.stringify(urls) };
    const { output } = await withClient(invocation, (admin) => admin.call(addScope, asked));
    await answer(invocation, { scope: output.ScopeID, name, urls }, () => `Scope ${output.ScopeID} added: ${name}.`);
  },
};

/** What is done with scopes. */
export const scopeCommands: readonly Command[] = [add];
