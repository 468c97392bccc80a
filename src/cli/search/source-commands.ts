import { addContentSource } from '../../protocols/search/topology/extensions/add-content-source.ts';
import { removeContentSource } from '../../protocols/search/topology/extensions/remove-content-source.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { placeFlags, withClient } from '../place.ts';

const add: Command = {
  name: 'search source add',
  args: ['NAME'],
  summary: 'Adds a content source that is crawled from one or more URLs.',
  flags: {
    start: { placeholder: 'URL', help: 'Where crawls start; several may be given.', required: true, several: true },
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('start') ?? [];
    const asked = { Name: name, StartAddresses: JSON.stringify(urls) };
    const { output } = await withClient(invocation, (admin) => admin.call(addContentSource, asked));
    invocation.world.stdout.write(`Content source ${output.ContentSourceID} added: ${name}.\n`);
  },
};

const start = { source: int, name: nvarchar(256), id: int, url: nvarchar(1500) };
const startsOfSources = `
  select s.ContentSourceID as source, s.Name as name, a.StartAddressID as id, a.URL as url
  from ContentSources s join StartAddresses a on a.ContentSourceID = s.ContentSourceID
  order by s.ContentSourceID, a.StartAddressID`;

const list: Command = {
  name: 'search source list',
  args: [],
  summary: 'Lists the content sources and their start addresses.',
  flags: placeFlags,
  settings: ['all'],
  async run(invocation) {
    const starts = await withClient(invocation, (admin) => admin.select(start, startsOfSources));
    const rows = starts.map(({ source, name, id, url }) => [String(source), name, String(id), url]);
    invocation.world.stdout.write(columns(['source', 'name', 'start', 'url'], rows));
  },
};

const remove: Command = {
  name: 'search source remove',
  args: ['NAME'],
  summary: 'Removes a content source, and asks for a delete crawl of what was crawled of it.',
  flags: placeFlags,
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    await withClient(invocation, (admin) => admin.call(removeContentSource, { Name: name }));
    invocation.world.stdout.write(`Content source ${name} removed.\n`);
  },
};

/** What is done with content sources. */
export const sourceCommands: readonly Command[] = [add, list, remove];
