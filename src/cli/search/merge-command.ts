import { Administration } from '../../workers/crawl/administration.ts';
import type { Command } from '../command.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

/** Asks for a master merge. */
export const mergeCommand: Command = {
  name: 'search merge',
  args: [],
  summary: 'Requests a master merge of the full-text index from all crawl components.',
  details: ['Components check for it once a minute, while granary crawl run or a crawl is running them.'],
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const components = await withClient(invocation, (admin) => new Administration(admin).requestMerge());
    await answer(
      invocation,
      { components },
      () => `A master merge was requested from ${components} crawl component${components === 1 ? '' : 's'}.`,
    );
  },
};
