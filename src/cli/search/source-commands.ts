import {
  addContentSource,
  contentSources,
  removeContentSource,
} from '../../protocols/search/topology/content-sources.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { database, withAdmin } from './admin-database.ts';

const add: Command = {
  name: 'search source add',
  args: ['NAME'],
  summary: 'Adds a content source that is crawled from one or more URLs.',
  flags: {
    start: { placeholder: 'URL', help: 'Where crawls start; several may be given.', required: true, several: true },
    database,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('start') ?? [];
    const id = await withAdmin(invocation, (admin) =>
      admin.write((db) => addContentSource(db, name, urls), { serial: true }),
    );
    invocation.world.stdout.write(`Content source ${id} added: ${name}.\n`);
  },
};

const list: Command = {
  name: 'search source list',
  args: [],
  summary: 'Lists the content sources and their start addresses.',
  flags: { database },
  settings: ['all'],
  async run(invocation) {
    const sources = await withAdmin(invocation, (admin) => admin.read(contentSources));
    const rows = sources.flatMap(({ id, name, addresses }) =>
      addresses.map((address) => [String(id), name, String(address.id), address.url]),
    );
    invocation.world.stdout.write(columns(['source', 'name', 'start', 'url'], rows));
  },
};

const remove: Command = {
  name: 'search source remove',
  args: ['NAME'],
  summary: 'Removes a content source, and asks for a delete crawl of what was crawled of it.',
  flags: { database },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    await withAdmin(invocation, (admin) => admin.write((db) => removeContentSource(db, name), { serial: true }));
    invocation.world.stdout.write(`Content source ${name} removed.\n`);
  },
};

/** What is done with content sources. */
export const sourceCommands: readonly Command[] = [add, list, remove];
