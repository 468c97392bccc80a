import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { Administration, heeding } from '../../workers/crawl/administration.ts';
import type { Progress } from '../../workers/crawl/progress.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';
import { ongoingCrawls, sourceNamed } from './source.ts';
import { standsOf, waitOf, whoWorks } from './words.ts';

/** Milliseconds between two looks whether a crawl heeds what is asked of it, and after which nobody waits any longer. */
const look = 200;
const patience = 10_000;

/** What is asked of a crawl. */
type Verb = 'stop' | 'pause' | 'resume';

/** Where a crawl is on its way to what is asked, or has arrived. */
const underWay: Readonly<Record<Verb, readonly number[]>> = {
  stop: [crawlStatus.stopping],
  pause: [crawlStatus.pausing, crawlStatus.paused],
  resume: [],
};

/** Where a crawl will not heed it any more. */
const tooLate: readonly number[] = [crawlStatus.stopping, crawlStatus.completing];

/** What there is to ask it of. */
interface Asked {
  readonly id: number;
  readonly name: string;
}

/**
 * Asks something of the crawl of a source. One that does not heed it where it stands is waited for, since it would be
 * passed over in silence; one that does not get there is an error, at once where nobody is there to take it further.
 */
export async function askOf(
  admin: Client,
  source: Asked,
  verb: Verb,
  { isAttended = false } = {},
): Promise<{ crawl: Progress; isNews: boolean }> {
  const until = Date.now() + patience;
  for (;;) {
    const crawl = await askable(admin, source, verb);
    const { status, request } = crawl;
    const isPending = request?.toLowerCase() === verb;
    if (isPending || (request === null && underWay[verb].includes(status))) return { crawl, isNews: false };
    if (request === null || request === 'Start' || verb === 'stop') {
      if ((heeding[verb] ?? status) === status) {
        await new Administration(admin)[verb](source.id);
        return { crawl, isNews: true };
      }
      if (tooLate.includes(status)) throw refusal(source, crawl, verb, 'is too far for that.');
    }
    const nobody = isAttended ? '' : await whoWorks(admin);
    if (nobody !== '' || Date.now() > until) {
      const text = `waits for ${waitOf(crawl) ?? 'others'}.${nobody}`;
      throw refusal(source, crawl, verb, `${text} granary crawl stop ${source.name} gives it up.`);
    }
    await delay(look);
  }
}

const refusal = ({ name }: Asked, crawl: Progress, verb: Verb, why: string): OperatorError =>
  new OperatorError(`Crawl ${crawl.crawl} of ${name} (${standsOf(crawl)}) cannot be told to ${verb}: it ${why}`);

/** The crawl of a source that something can be asked of: stage 110 passes over delete crawls. */
async function askable(admin: Client, source: Asked, verb: Verb): Promise<Progress> {
  const crawls = await ongoingCrawls(admin, source);
  const crawl = verb === 'stop' ? crawls.find(({ type }) => type !== 'Delete') : crawls[0];
  if (crawl !== undefined) return crawl;
  throw refusal(source, crawls[0], verb, 'deletes what was crawled. It can be paused.');
}

/** A command that asks something of the crawl of a source and does not wait for it. */
const asking = (verb: 'stop' | 'pause', summary: string): Command => ({
  name: `crawl ${verb}`,
  args: ['SOURCE'],
  summary,
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { id, name } = await sourceNamed(admin, invocation.args[0] ?? '');
      const { crawl, isNews } = await askOf(admin, { id, name }, verb);
      const text = invocation.flags.has('json')
        ? JSON.stringify({ source: id, crawl: crawl.crawl, asked: verb })
        : isNews
          ? `Crawl ${crawl.crawl} of ${name} is asked to ${verb}.${await whoWorks(admin)}`
          : `Crawl ${crawl.crawl} of ${name} was asked that before: ${standsOf(crawl)}.`;
      invocation.world.stdout.write(`${text}\n`);
    }),
});

export const stop = asking('stop', 'Ends the crawl of a content source: what is not crawled yet is left.');
export const pause = asking('pause', 'Lets the crawl of a content source rest until it is resumed.');
