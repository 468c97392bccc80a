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
  summary: 'Finds crawled documents by words of their title, text and properties, the best first.',
  details: [
    'All words must be there. "several words" stand together, -word is left out, author:word looks into a property, wor* is a beginning.',
  ],
  flags: {
    count: { placeholder: 'NUMBER', help: 'How many documents; 10 unless given.' },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { args, flags, world } = invocation;
      const Count = Number(flags.get('count') ?? '10');
      if (!Number.isInteger(Count) || Count < 1 || Count > 1000) throw new UsageError('--count is between 1 and 1000.');
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
      world.stdout.write(total === 0 ? 'Nothing was found.\n' : `${found.length} of ${total} documents.\n`);
    }),
};
