/** Milliseconds between two points of a crawl at least, and how long one is kept. */
const apart = 2_000;
const hour = 3_600_000;
/** So many crawls are remembered. */
const mostCrawls = 100;

interface Point {
  readonly at: number;
  readonly done: number;
}

/** How far crawls were in the last hour: what a plot of documents a second is made of. */
class RateBook {
  readonly #points = new Map<string, Point[]>();

  /** Records how many documents a crawl has processed, and computes its speed from the recorded points. */
  note(key: string, at: Date, done: number): { readonly at: string; readonly perSecond: number }[] {
    const points = this.#points.get(key) ?? [];
    this.#points.delete(key);
    this.#points.set(key, points);
    // A database of the same name may have been recreated, with crawls numbered from one.
    if (done < (points.at(-1)?.done ?? 0)) points.length = 0;
    const last = points.at(-1);
    if (last === undefined || at.getTime() - last.at >= apart) points.push({ at: at.getTime(), done });
    points.splice(
      0,
      points.findIndex((point) => point.at > at.getTime() - hour),
    );
    const [oldest] = this.#points.keys();
    if (this.#points.size > mostCrawls && oldest !== undefined) this.#points.delete(oldest);
    return points.slice(1).map((point, before) => {
      const from = points[before] ?? point;
      const perSecond = Math.max(0, ((point.done - from.done) * 1000) / (point.at - from.at));
      return { at: new Date(point.at).toISOString(), perSecond: Math.round(perSecond * 10) / 10 };
    });
  }
}

const books = new WeakMap<object, RateBook>();

/** The speeds that a server's consoles share. */
export function ratesOf(server: object): RateBook {
  let book = books.get(server);
  if (book === undefined) {
    book = new RateBook();
    books.set(server, book);
  }
  return book;
}
