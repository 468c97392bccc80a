import type { Service } from '../../../base/service.ts';
import { loginItself } from '../../../base/vouched.ts';
import type { Client } from '../../../client/client.ts';
import { orNull } from '../../../procedure/declare.ts';
import { crawlStatus } from '../../../protocols/search/crawls/crawl-status.ts';
import { int } from '../../../tds/types/index.ts';
import { isOver } from '../../../workers/crawl/progress.ts';
import type { ConsoleServer } from '../../console-server.ts';
import { clientOf } from '../../visits.ts';
import { ratesOf } from './rates.ts';

/** Milliseconds between two looks. */
const pace = 10_000;

/** Databases whose crawls are watched at once. */
const mostDatabases = 10;

/** Whose eyes the server looks with. */
const administrator = 'sa';

const ongoing = new Set(Object.entries(crawlStatus).flatMap(([word, status]) => (isOver(status) ? [] : [word])));

const columns = { crawl: int, done: orNull(int) };

/** The number of documents processed by the running crawls, as the page of a crawl counts them. */
const doneOf = (admin: Client) =>
  admin.select(
    columns,
    `select c.CrawlID as crawl, sum(s.SuccessCount + s.WarningCount + s.ErrorCount) as done
     from CrawlStatus c left join CrawlComponentStatus s on s.CrawlID = c.CrawlID
     where c.Status not in (${[crawlStatus.done, crawlStatus.stopped, crawlStatus.forbid].join(', ')})
     group by c.CrawlID`,
    {},
    { idempotent: true },
  );

/** What it needs of the server. */
type Watched = Pick<ConsoleServer, 'measures' | 'attach' | 'clock' | 'log'> & {
  readonly view: Pick<ConsoleServer['view'], 'databases'>;
};

/** Records the speed of running crawls in any case; the counts of crawls say where there are any. */
export class CrawlWatch implements Service {
  readonly #server: Watched;
  #timer: NodeJS.Timeout | undefined;
  #noting: Promise<void> | undefined;

  constructor(server: Watched) {
    this.#server = server;
  }

  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.note(), pace).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#noting;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Looks now; the timer does it, one at a time. */
  note(): Promise<void> {
    this.#noting ??= this.#note()
      .catch((error: unknown) => this.#server.log.warn('crawls could not be watched', { error: String(error) }))
      .finally(() => {
        this.#noting = undefined;
      });
    return this.#noting;
  }

  async #note(): Promise<void> {
    const measure = this.#server.measures.all().find(({ name }) => name === 'granary_crawls');
    if (measure === undefined || measure.type === 'distribution') return;
    const busy = [...(await measure.read())].flatMap(({ labels: { state = '', database = '' }, value }) =>
      value > 0 && ongoing.has(state) ? [database] : [],
    );
    // With very many databases, figures only show some of them together.
    const known = new Set((await this.#server.view.databases()).map(({ name }) => name));
    for (const database of [...new Set(busy)].filter((name) => known.has(name)).slice(0, mostDatabases)) {
      await using client = clientOf(this.#server, loginItself(administrator)).database(database);
      for (const { crawl, done } of await doneOf(client)) {
        ratesOf(this.#server).note(`${database}/${crawl}`, this.#server.clock.now(), done ?? 0);
      }
    }
  }
}
