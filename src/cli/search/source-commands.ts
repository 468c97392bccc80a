import { addContentSource } from '../../protocols/search/topology/extensions/add-content-source.ts';
import { removeContentSource } from '../../protocols/search/topology/extensions/remove-content-source.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { sourceNamed } from '../crawl/source.ts';
import { whoWorks } from '../crawl/words.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';
import { ruleFlags, rulesGiven, rulesShown } from './rule-flags.ts';

const add: Command = {
  name: 'search source add',
  args: ['NAME'],
  summary: 'Adds a content source to be crawled from one or more start URLs.',
  flags: {
    start: { placeholder: 'URL', help: 'Where crawls start; can be repeated.', required: true, several: true },
    ...ruleFlags,
    json,
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const urls = invocation.lists.get('start') ?? [];
    const asked = { Name: name, StartAddresses: JSON.stringify(urls) };
    const rules = rulesGiven(invocation);
    const { output } = await withClient(invocation, async (admin) => {
      const added = await admin.call(addContentSource, asked);
      const id = added.output.ContentSourceID;
      // Also without rules: those of a removed source that had this number are still there.
      if (id != null) await new Administration(admin).setRules(id, rules);
      return added;
    });
    const source = output.ContentSourceID;
    await answer(invocation, { source, name, start: urls }, () => `Content source ${source} added: ${name}.`);
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
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const starts = await withClient(invocation, (admin) => admin.select(start, startsOfSources));
    await answer(invocation, starts, () => {
      const rows = starts.map(({ source, name, id, url }) => [String(source), name, String(id), url]);
      return columns(['source', 'name', 'start', 'url'], rows).trimEnd();
    });
  },
};

const rules: Command = {
  name: 'search source rules',
  args: ['NAME'],
  summary: 'Changes what is crawled of a content source, and how; without flags, shows the current rules.',
  details: ['Running crawls apply changes within a few seconds.'],
  flags: {
    ...ruleFlags,
    reset: { placeholder: '', help: 'Discard all rules set before.', bare: true },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const { args, flags } = invocation;
    const changes = rulesGiven(invocation);
    const source = await withClient(invocation, async (admin) => {
      const wanted = args[0] ?? '';
      const { id } = await sourceNamed(admin, wanted);
      const administration = new Administration(admin);
      if (flags.has('reset')) await administration.setRules(id, changes);
      else if (Object.keys(changes).length > 0) await administration.changeRules(id, changes);
      return await sourceNamed(admin, wanted);
    });
    await answer(invocation, source.rules, () => columns(['rule', 'value'], rulesShown(source.rules)).trimEnd());
  },
};

const remove: Command = {
  name: 'search source remove',
  args: ['NAME'],
  summary: 'Removes a content source: stops its crawl, and requests a delete crawl of its documents.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    await withClient(invocation, async (admin) => {
      await admin.call(removeContentSource, { Name: name });
      const words = async () =>
        `Content source ${name} removed. A delete crawl of its documents was requested.${await whoWorks(admin)}`;
      await answer(invocation, { name, removed: true }, words);
    });
  },
};

/** What is done with content sources. */
export const sourceCommands: readonly Command[] = [add, list, rules, remove];
