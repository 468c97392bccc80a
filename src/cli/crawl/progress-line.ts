import type { Progress } from '../../workers/crawl/progress.ts';
import { standsOf } from '../../workers/crawl/under-way.ts';
import type { World } from '../command.ts';
import type { Watched } from './watch.ts';
import { waitOf } from './words.ts';

/** Milliseconds between two lines where no line can be written over. */
const betweenLines = 5_000;
/** Milliseconds over which documents a second are counted. */
const window = 5_000;

/** Shows the progress of a crawl: on a terminal in one line that changes, elsewhere line by line, or as JSON. */
export class ProgressLine {
  readonly #world: World;
  readonly #json: boolean;
  #counts: { readonly at: number; readonly done: number }[] = [];
  #counted: number | undefined;
  #last = { at: 0, text: '', stands: '' };

  constructor(world: World, json: boolean) {
    this.#world = world;
    this.#json = json;
  }

  show(progress: Progress, byCause: Readonly<Record<string, number>>): void {
    const rate = this.#rate(progress);
    const text = this.#json ? JSON.stringify({ ...progress, byCause, rate }) : lineOf(progress, byCause, rate);
    const now = Date.now();
    if (this.#isTerminal && !this.#json) {
      if (text !== this.#last.text) this.#world.stderr.write(`\r${text}\u001b[K`);
    } else if (now - this.#last.at >= betweenLines || progress.stands !== this.#last.stands) {
      (this.#json ? this.#world.stdout : this.#world.stderr).write(`${text}\n`);
      this.#last = { at: now, text, stands: progress.stands };
      return;
    }
    this.#last = { ...this.#last, text };
  }

  end(watched: Watched): void {
    if (this.#json) this.#world.stdout.write(`${JSON.stringify(watched)}\n`);
    else {
      if (this.#isTerminal) this.#world.stderr.write('\r\u001b[K');
      this.#world.stdout.write(`${summaryOf(watched)}\n`);
    }
  }

  get #isTerminal(): boolean {
    return 'isTTY' in this.#world.stderr && this.#world.stderr.isTTY === true;
  }

  #rate({ crawl, crawled, errors }: Progress): number {
    const now = Date.now();
    // The crawl of anchors starts counting from zero.
    if (crawl !== this.#counted) this.#counts = [];
    this.#counted = crawl;
    this.#counts.push({ at: now, done: crawled + errors });
    while ((this.#counts[0]?.at ?? now) < now - window && this.#counts.length > 2) this.#counts.shift();
    const [first] = this.#counts;
    if (first === undefined || first.at === now) return 0;
    return Math.round(((crawled + errors - first.done) * 10_000) / (now - first.at)) / 10;
  }
}

function lineOf(progress: Progress, byCause: Readonly<Record<string, number>>, rate: number): string {
  const { crawl, project, since, components, crawled, queued, errors } = progress;
  const waitsFor = waitOf(progress);
  const who = components === null ? '' : ` (component ${components})`;
  const when = since === null ? '' : ` since ${since.toISOString().slice(11, 19)}`;
  const awaits = waitsFor === null ? '' : `, waiting${when} for ${waitsFor}${who}`;
  return (
    `Crawl ${crawl}${project === 'Anchors' ? ' of anchors' : ''}: ${crawled} crawled, ${queued} queued, ` +
    `${errors} errors${causesOf(byCause)}, ${rate} documents per second; ${standsOf(progress)}${awaits}`
  );
}

/** The causes of all errors of the source, which may be of earlier crawls. */
function causesOf(byCause: Readonly<Record<string, number>>): string {
  const causes = Object.entries(byCause).map(([cause, count]) => `${count} ${cause}`);
  return causes.length === 0 ? '' : ` (in the source: ${causes.join(', ')})`;
}

/** What a crawl has done, in one sentence. */
function summaryOf({ crawl, stands, crawled, notModified, warnings, errors, deleted, rate, byCause }: Watched): string {
  return (
    `Crawl ${crawl} is ${stands.toLowerCase()}: ${crawled} crawled, of which ${notModified} were not modified${warnings > 0 ? ` and ${warnings} have a warning` : ''}, ` +
    `${errors} errors${causesOf(byCause)}, ${deleted} deleted, ${rate} documents per second.`
  );
}
