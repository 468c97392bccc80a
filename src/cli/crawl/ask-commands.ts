import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { Administration, heeding } from '../../workers/crawl/administration.ts';
import { isOver, type Progress, progressOf } from '../../workers/crawl/progress.ts';
import { standsOf } from '../../workers/crawl/under-way.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';
import type { Crew } from './crew.ts';
import { crewed } from './crewed.ts';
import { ongoingCrawls, sourceNamed } from './source.ts';
import { waitOf, whoWorks } from './words.ts';

/** Milliseconds between two checks whether a crawl follows a request, and after which the command stops waiting. */
const look = 200;
const patience = 10_000;

/** What is asked of a crawl. */
type Verb = 'stop' | 'pause' | 'resume';

const done: Readonly<Record<Verb, string>> = { stop: 'stopped', pause: 'paused', resume: 'resumed' };

/** Where a crawl is on its way to what is asked, or has arrived. */
const underWay: Readonly<Record<Verb, readonly number[]>> = {
  stop: [crawlStatus.stopping],
  pause: [crawlStatus.pausing, crawlStatus.paused],
  resume: [],
};

/** The states in which a crawl no longer follows it. */
const tooLate: readonly number[] = [crawlStatus.stopping, crawlStatus.completing];

/** What there is to ask it of. */
interface Asked {
  readonly id: number;
  readonly name: string;
}

/**
 * Sends a request to the crawl of a source. A crawl whose state does not accept it yet is waited for, since the request
 * would be ignored silently; one that does not reach such a state is an error, immediately if no component would take
 * it there.
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
      if (tooLate.includes(status)) throw refusal(source, crawl, verb, 'is too far along for that.');
    }
    const nobody = isAttended ? '' : await whoWorks(admin);
    if (nobody !== '' || Date.now() > until) {
      const text = `is waiting for ${waitOf(crawl) ?? 'others'}.${nobody}`;
      throw refusal(source, crawl, verb, `${text} granary crawl stop ${source.name} abandons it.`);
    }
    await delay(look);
  }
}

const refusal = ({ name }: Asked, crawl: Progress, verb: Verb, why: string): OperatorError =>
  new OperatorError(`Crawl ${crawl.crawl} of ${name} (${standsOf(crawl)}) cannot be ${done[verb]}: it ${why}`);

/** The crawl of a source that something can be asked of: stage 110 passes over delete crawls. */
async function askable(admin: Client, source: Asked, verb: Verb): Promise<Progress> {
  const crawls = await ongoingCrawls(admin, source);
  const crawl = verb === 'stop' ? crawls.find(({ type }) => type !== 'Delete') : crawls[0];
  if (crawl !== undefined) return crawl;
  throw refusal(source, crawls[0], verb, 'is deleting what was crawled. It can be paused.');
}

/** The message about a crawl that was sent a request, now or before, and about who carries it out. */
async function wordsOf(admin: Client, { name }: Asked, verb: Verb, crawl: Progress, isNews: boolean): Promise<string> {
  const how = isNews ? `was asked to ${verb}` : `had already been asked to ${verb}: ${standsOf(crawl)}`;
  return `Crawl ${crawl.crawl} of ${name} ${how}.${await whoWorks(admin)}`;
}

export const pause: Command = {
  name: 'crawl pause',
  args: ['SOURCE'],
  summary: 'Pauses the crawl of a content source until it is resumed.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const source = await sourceNamed(admin, invocation.args[0] ?? '');
      const { crawl, isNews } = await askOf(admin, source, 'pause');
      await answer(invocation, { source: source.id, crawl: crawl.crawl, asked: 'pause' }, () =>
        wordsOf(admin, source, 'pause', crawl, isNews),
      );
    }),
};

export const stop: Command = {
  name: 'crawl stop',
  args: ['SOURCE'],
  summary: 'Stops the crawl of a content source; what has not been crawled yet is skipped.',
  details: ['Runs the crawl components that no other process is running until the crawl has stopped.'],
  flags: {
    'no-wait': { placeholder: '', help: 'Only request it; components running elsewhere carry it out.', bare: true },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const source = await sourceNamed(admin, invocation.args[0] ?? '');
      const { crawl, isNews } = await askOf(admin, source, 'stop');
      const answered = (stands: string, words: () => string | Promise<string>) =>
        answer(invocation, { source: source.id, crawl: crawl.crawl, asked: 'stop', stands }, words);
      if (invocation.flags.has('no-wait')) {
        await answered(crawl.stands, () => wordsOf(admin, source, 'stop', crawl, isNews));
        return;
      }
      await crewed(admin, invocation, async (crew, ending) => {
        const { stands } = await untilOver(admin, crawl.crawl, crew, ending);
        const end = `Crawl ${crawl.crawl} of ${source.name}: ${stands.toLowerCase()}. What was crawled is kept.`;
        await answered(stands, () => end);
      });
    }),
};

/** Waits until a crawl is over. */
async function untilOver(admin: Client, crawl: number, crew: Crew, ending: AbortSignal): Promise<Progress> {
  for (;;) {
    crew.check();
    const [now] = await progressOf(admin, 'CrawlID = @crawl', { crawl });
    if (now === undefined) throw new OperatorError(`Crawl ${crawl} no longer exists.`);
    if (isOver(now.status)) return now;
    await delay(look, undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) {
      throw new OperatorError(`Interrupted. Crawl ${crawl} will stop when components run again: granary crawl run.`);
    }
  }
}
