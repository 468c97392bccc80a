import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import type { Unvisited } from '../../workers/crawl/master/unvisited.ts';
import { errorsByCause, isOver, type Progress, progressOf } from '../../workers/crawl/progress.ts';
import { crawlInTheWay, standsOf } from '../../workers/crawl/under-way.ts';
import type { World } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { Absence } from './absence.ts';
import type { Crew } from './crew.ts';
import { ProgressLine } from './progress-line.ts';

/** Milliseconds between two checks of a crawl. */
const look = 300;
/** Milliseconds between two counts of errors by their causes. */
const leastBetweenCounts = 1000;

/** How a crawl ended, and what it has done. */
export interface Watched extends Progress {
  readonly byCause: Readonly<Record<string, number>>;
  /** Documents a second. */
  readonly rate: number;
}

/** The exit codes of an unfinished crawl: it waits for permission to delete, was stopped, or could not begin. */
const exitCodes = { held: 3, stopped: 4, forbidden: 5 } as const;

/** How a crawl is watched. */
interface Watching {
  readonly crew: Crew;
  readonly world: World;
  readonly json: boolean;
  readonly ending: AbortSignal;
  /** True if it was allowed to delete any number: earlier messages about that no longer count. */
  readonly forced: boolean;
}

/**
 * Watches a crawl, and the crawl of anchors that follows it, until both are over, and shows their progress. A crawl
 * that would delete too much is left waiting: continuing it takes an explicit command. An unavailable server is waited
 * for, as components do.
 */
export async function watchCrawl(
  admin: Client,
  crawl: number,
  { crew, world, json, ending, forced }: Watching,
): Promise<Watched> {
  const watch = new Watch(admin, crawl, new ProgressLine(world, json), forced);
  const absence = new Absence((text) => world.stderr.write(`${text}\n`), crawl);
  for (;;) {
    crew.check();
    const watched = await absence.through(() => watch.look());
    if (watched !== undefined) return watched;
    await delay(look, undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) {
      const text = `Crawl ${crawl} will continue when components run again: granary crawl run.`;
      throw new OperatorError(`Interrupted. ${text}`);
    }
  }
}

class Watch {
  readonly #admin: Client;
  readonly #crawl: number;
  readonly #line: ProgressLine;
  readonly #forced: boolean;
  readonly #administration: Administration;
  readonly #causes: Causes;

  constructor(admin: Client, crawl: number, line: ProgressLine, forced: boolean) {
    this.#admin = admin;
    this.#crawl = crawl;
    this.#line = line;
    this.#forced = forced;
    this.#administration = new Administration(admin);
    this.#causes = new Causes(admin);
  }

  /** Shows the progress of the crawl, or its results once it is over. */
  async look(): Promise<Watched | undefined> {
    const [anchors, main] = await current(this.#admin, this.#crawl);
    if (main === undefined) throw new OperatorError(`Crawl ${this.#crawl} no longer exists.`);
    const shown = isOver(main.status) ? (anchors ?? main) : main;
    this.#line.show(shown, await this.#causes.of(main));
    if (isOver(main.status) && (anchors === undefined || isOver(anchors.status)))
      return finished(this.#admin, main, this.#line);
    // One that is asked to stop will not delete.
    if (this.#forced || main.request === 'Stop') return undefined;
    const unvisited = await this.#administration.unvisited(this.#crawl);
    if (unvisited?.isHeld) throw held(this.#crawl, unvisited, await nameOf(this.#administration, main.source));
    return undefined;
  }
}

/** Why documents of a source could not be crawled, counted from time to time while a crawl is running. */
class Causes {
  readonly #admin: Client;
  #counted: Readonly<Record<string, number>> = {};
  #errors = 0;
  #next = 0;

  constructor(admin: Client) {
    this.#admin = admin;
  }

  async of({ source, errors }: Progress): Promise<Readonly<Record<string, number>>> {
    if (errors === this.#errors || performance.now() < this.#next) return this.#counted;
    const began = performance.now();
    this.#counted = await errorsByCause(this.#admin, source);
    this.#errors = errors;
    // Counting takes at most a tenth of the time, however large the source is.
    this.#next = performance.now() + Math.max(leastBetweenCounts, (performance.now() - began) * 10);
    return this.#counted;
  }
}

/** The crawl of anchors that follows a crawl, if there is one, and the crawl itself. */
async function current(admin: Client, crawl: number): Promise<[Progress | undefined, Progress | undefined]> {
  const all = await progressOf(
    admin,
    'CrawlID = @crawl or CrawlID in (select CrawlID from CrawlStatus where MainCrawlID = @crawl and ProjectID = 2)',
    { crawl },
  );
  return [all.find((one) => one.crawl !== crawl), all.find((one) => one.crawl === crawl)];
}

async function finished(admin: Client, main: Progress, line: ProgressLine): Promise<Watched> {
  const byCause = await errorsByCause(admin, main.source);
  const seconds = ((main.ended?.getTime() ?? 0) - (main.started?.getTime() ?? 0)) / 1000;
  const rate = seconds > 0 ? (main.crawled + main.errors) / seconds : 0;
  const watched = { ...main, byCause, rate: Math.round(rate * 10) / 10 };
  line.end(watched);
  if (main.stands === 'Stopped') {
    throw new OperatorError(`Crawl ${main.crawl} was stopped.`, { exitCode: exitCodes.stopped });
  }
  if (main.status === crawlStatus.forbid) throw await forbidden(admin, main);
  return watched;
}

/** Stage 102 forbids a crawl while another one runs, stage 105 one without start addresses. */
async function forbidden(admin: Client, { crawl, source }: Progress): Promise<OperatorError> {
  const other = await crawlInTheWay(admin, source, 'full');
  const why =
    other === undefined
      ? 'another crawl of the source was running, or it has no start address that can be crawled (http, https or file)'
      : `crawl ${other.crawl} of the source is running (${standsOf(other)})`;
  return new OperatorError(`Crawl ${crawl} was refused: ${why}.`, { exitCode: exitCodes.forbidden });
}

async function nameOf(administration: Administration, source: number): Promise<string> {
  return (await administration.sources()).find(({ id }) => id === source)?.name ?? String(source);
}

function held(crawl: number, { documents, unvisited, urls }: Unvisited, source: string): OperatorError {
  const share = documents === 0 ? 100 : Math.round((unvisited * 100) / documents);
  const some = urls.map((url) => `\n  ${url}`).join('');
  return new OperatorError(
    `Crawl ${crawl} has not reached ${unvisited} of ${documents} documents (${share} %) and would delete them:${some}` +
      `${unvisited > urls.length ? '\n  …' : ''}\nThe source may only have been down. ` +
      `granary crawl resume ${source} --force deletes them, granary crawl stop ${source} keeps them.`,
    { exitCode: exitCodes.held },
  );
}
