import { find } from '../protocols/search/full-text/find.ts';
import { Farm } from '../workers/crawl/store/farm.ts';
import type { Command } from './command.ts';
import { UsageError } from './errors.ts';
import { json } from './json-flag.ts';
import { placeFlags, withClient } from './place.ts';

/** `granary find`: what was crawled and has some words. */
export const findCommand: Command = {
  name: 'find',
  args: ['TEXT'],
  summary: 'Searches crawled documents by words in their title, text and properties, best matches first.',
  details: [
    'All words must occur. "several words" is a phrase, -word excludes a word, author:word searches a property, and wor* is a prefix.',
  ],
  flags: {
    count: { placeholder: 'NUMBER', help: 'The maximum number of documents. Default: 10.' },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { args, flags, world } = invocation;
      const Count = Number(flags.get('count') ?? '10');
      if (!Number.isInteger(Count) || Count < 1 || Count > 1000)
        throw new UsageError('--count must be between 1 and 1000.');
      const stores = (await Farm.of(admin)).propertyStores;
      const answers = await Promise.all(stores.map((store) => store.call(find, { Text: args[0] ?? '', Count })));
      const total = answers.reduce((sum, { output }) => sum + (output.Total ?? 0), 0);
      const found = answers
        .flatMap(({ sets }) => sets.Found)
        .sort((one, other) => other.Rank - one.Rank)
        .slice(0, Count)
        .map((document, at) => ({ ...document, Place: at + 1 }));
      if (flags.has('json')) {
        world.stdout.write(`${JSON.stringify({ total, found })}\n`);
        return;
      }
      for (const { Place, Title, Url, Snippet } of found) {
        world.stdout.write(`${Place}. ${Title || Url}\n   ${Url}\n${Snippet === '' ? '' : `   ${Snippet}\n`}\n`);
      }
      world.stdout.write(total === 0 ? 'No documents found.\n' : `${found.length} of ${total} documents.\n`);
    }),
};
