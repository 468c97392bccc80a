import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { Administration, type CrawlKind } from '../../workers/crawl/administration.ts';
import type { Progress } from '../../workers/crawl/progress.ts';
import type { ContentSource } from '../../workers/crawl/store/source-book.ts';
import { crawlInTheWay, standsOf } from '../../workers/crawl/under-way.ts';
import type { Command, CommandFlag, Invocation } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';
import { askOf } from './ask-commands.ts';
import { crewed } from './crewed.ts';
import { ongoingCrawls, sourceNamed } from './source.ts';
import { watchCrawl } from './watch.ts';
import { whoWorks } from './words.ts';

const force: CommandFlag = {
  placeholder: '',
  help: 'Let the crawl delete everything that it has not reached, however much that is.',
  bare: true,
};

const waiting = [
  'Runs the crawl components that no other process is running and shows progress. Exits with 0 when the crawl is done, 3 if ' +
    'it would delete too much of the source (more than 20 % unless its rules say otherwise), 4 if it was stopped, and 5 if ' +
    'it was refused.',
];

export const start: Command = {
  name: 'crawl start',
  args: ['SOURCE'],
  summary: 'Crawls a content source and shows progress.',
  details: waiting,
  flags: {
    incremental: { placeholder: '', help: 'Fetch only what has changed.', bare: true },
    delete: { placeholder: '', help: 'Remove everything that was crawled from the source.', bare: true },
    'no-wait': {
      placeholder: '',
      help: 'Only request the crawl; components running elsewhere carry it out.',
      bare: true,
    },
    force,
    json,
    ...placeFlags,
  },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { flags, args, world } = invocation;
      const kind = kindOf(flags);
      const wanted = await sourceNamed(admin, args[0] ?? '');
      await checkFree(admin, wanted, kind);
      const source = wanted.id;
      const crawl = await new Administration(admin).start(source, kind, { force: flags.has('force') });
      if (flags.has('no-wait')) {
        await answer(
          invocation,
          { crawl, source, kind },
          async () => `Crawl ${crawl} was requested.${await whoWorks(admin)}`,
        );
        return;
      }
      await crewed(admin, invocation, (crew, ending) =>
        watchCrawl(admin, crawl, { crew, world, json: flags.has('json'), ending, forced: flags.has('force') }),
      );
    }),
};

export const resume: Command = {
  name: 'crawl resume',
  args: ['SOURCE'],
  summary: 'Continues a crawl that was paused or interrupted, or is waiting for permission to delete.',
  details: waiting,
  flags: {
    'no-wait': { placeholder: '', help: 'Only request it; components running elsewhere carry it out.', bare: true },
    force,
    json,
    ...placeFlags,
  },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { flags, args, world } = invocation;
      const { id: source, name } = await sourceNamed(admin, args[0] ?? '');
      const [ongoing] = await ongoingCrawls(admin, { id: source, name });
      if (flags.has('force')) await new Administration(admin).force(ongoing.crawl);
      const goOn = async (isAttended: boolean) => {
        if (rests(ongoing)) await askOf(admin, { id: source, name }, 'resume', { isAttended });
      };
      if (flags.has('no-wait')) {
        await goOn(false);
        await answer(invocation, ongoing, async () => `Crawl ${ongoing.crawl} continues.${await whoWorks(admin)}`);
        return;
      }
      await crewed(admin, invocation, async (crew, ending) => {
        await goOn(true);
        const watching = { crew, world, json: flags.has('json'), ending, forced: flags.has('force') };
        await watchCrawl(admin, ongoing.crawl, watching);
      });
    }),
};

export const runCommand: Command = {
  name: 'crawl run',
  args: [],
  summary:
    'Runs the crawl components that no other process is running, until it is stopped; crawls are started elsewhere.',
  flags: placeFlags,
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, (admin) =>
      crewed(admin, invocation, async (crew, ending) => {
        invocation.world.stderr.write(
          `Running the crawl components ${crew.components.join(', ') || '(none is free yet)'}.\n`,
        );
        await new Promise((resolve) => {
          if (ending.aborted) resolve(undefined);
          ending.addEventListener('abort', resolve, { once: true });
        });
      }),
    ),
};

/** True for a crawl that is paused, or will be. */
const rests = ({ status, request }: Progress): boolean =>
  request === 'Pause' || status === crawlStatus.pausing || status === crawlStatus.paused;

/** One crawl of a source at a time. */
async function checkFree(admin: Client, { id, name }: ContentSource, kind: CrawlKind): Promise<void> {
  const other = await crawlInTheWay(admin, id, kind);
  if (other === undefined) return;
  throw new OperatorError(
    `Crawl ${other.crawl} of ${name} is already running (${standsOf(other)}). granary crawl resume ${name} continues and ` +
      `shows it, granary crawl stop ${name} stops it.`,
  );
}

function kindOf(flags: Invocation['flags']): CrawlKind {
  if (flags.has('incremental') && flags.has('delete')) {
    throw new UsageError('Specify either --incremental or --delete, not both.');
  }
  if (flags.has('delete')) return 'delete';
  return flags.has('incremental') ? 'incremental' : 'full';
}
