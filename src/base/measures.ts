/** What one figure is about: the database, the procedure and the like. */
export type Labels = Readonly<Record<string, string>>;

/** A figure at one moment. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A number that only grows. */
export class Count {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }
}

/** How often values of a size came: a histogram. */
export class Distribution {
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** Values a bucket, those above the last bound behind it. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  add(value: number): void {
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }

  /** Counts in what another of the same bounds has counted. */
  merge({ counts, sum }: Distribution): void {
    for (const [bucket, count] of counts.entries()) this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    this.sum += sum;
  }

  /** The bound that a share of the values does not exceed; 0 where there are none. */
  quantile(share: number): number {
    let left = this.count * share;
    const bucket = this.counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return this.count === 0 ? 0 : (this.bounds[bucket] ?? this.bounds.at(-1) ?? 0);
  }
}

/** A histogram at one moment. */
export interface Distributed {
  readonly labels: Labels;
  readonly kept: Distribution;
}

/** Label sets of one family; clients choose some of the words, so what comes beyond is counted together. */
const mostSets = 2000;
const beyond = 'other';

/** Databases that figures tell apart, those that came first; a server may have thousands. */
const mostDatabases = 50;

/** The names that figures tell apart; all others are one. */
class BoundedNames {
  readonly #known = new Set<string>();

  /** The name, or `other` when there were too many before it. */
  of(name: string): string {
    if (this.#known.has(name)) return name;
    if (this.#known.size >= mostDatabases) return beyond;
    this.#known.add(name);
    return name;
  }

  /** Those that are told apart now. */
  get all(): ReadonlySet<string> {
    return this.#known;
  }

  /** Makes room for another. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}

/** Where to look further for what has these values of the first labels, and what is kept for them when they are all. */
class Level<Kept> {
  readonly below = new Map<string, Level<Kept>>();
  kept: Kept | undefined;
}

/** Counts or distributions that differ in their labels. */
export class Family<Kept> {
  readonly labels: readonly string[];
  readonly #make: () => Kept;
  readonly #databases: BoundedNames;
  readonly #database: number;
  readonly #kept = new Map<string, { readonly labels: Labels; readonly kept: Kept }>();
  /** What was asked for before, found without putting a key together: calls ask each time. */
  #known = new Level<Kept>();

  constructor(labels: readonly string[], make: () => Kept, databases = new BoundedNames()) {
    this.labels = labels;
    this.#make = make;
    this.#databases = databases;
    this.#database = labels.indexOf('database');
  }

  /** The one of these values of the labels, in their order. */
  of(...values: readonly string[]): Kept {
    let level: Level<Kept> | undefined = this.#known;
    for (let at = 0; at < values.length && level !== undefined; at++) level = level.below.get(values[at] ?? '');
    return level?.kept ?? this.#find(values);
  }

  #find(values: readonly string[]): Kept {
    const kept = this.#keep(values);
    // What is counted as `other` is looked for each time: the words are the clients', and without end.
    if (this.#kept.get(values.join('\0'))?.kept === kept) this.#know(values, kept);
    return kept;
  }

  #know(values: readonly string[], kept: Kept): void {
    let level = this.#known;
    for (const value of values) {
      let next = level.below.get(value);
      if (next === undefined) {
        next = new Level();
        level.below.set(value, next);
      }
      level = next;
    }
    level.kept = kept;
  }

  #keep(values: readonly string[]): Kept {
    const key = values.join('\0');
    const known = this.#kept.get(key);
    if (known !== undefined) return known.kept;
    const database = values[this.#database];
    const shown = database === undefined ? database : this.#databases.of(database);
    if (shown !== undefined && shown !== database) return this.#keep(values.with(this.#database, shown));
    if (this.#kept.size >= mostSets && values.some((value) => value !== beyond)) {
      return this.#keep(values.map(() => beyond));
    }
    const labels = Object.fromEntries(this.labels.map((label, i) => [label, values[i] ?? '']));
    const kept = this.#make();
    this.#kept.set(key, { labels, kept });
    return kept;
  }

  all(): readonly { readonly labels: Labels; readonly kept: Kept }[] {
    return [...this.#kept.values()];
  }

  /** Forgets what was kept of a database. */
  forget(database: string): void {
    for (const [key, { labels }] of this.#kept) if (labels['database'] === database) this.#kept.delete(key);
    this.#known = new Level();
  }
}

type Read<Figure> = () => Iterable<Figure> | Promise<Iterable<Figure>>;

/** A named figure, and how it is read. */
export type Measure = { readonly name: string; readonly help: string } & (
  | { readonly type: 'count' | 'gauge'; readonly read: Read<Sample> }
  | { readonly type: 'distribution'; readonly read: Read<Distributed> }
);

/** Seconds that calls and syncs take: from a tenth of a millisecond to ten seconds. */
export const secondsBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The figures that the parts of a server keep of themselves; whoever shows them asks here. */
export class Measures {
  readonly #measures = new Map<string, Measure>();
  readonly #families: { forget(database: string): void }[] = [];

  /** The measures there are, in the order in which they were made. */
  all(): readonly Measure[] {
    return [...this.#measures.values()];
  }

  /** The databases that the figures tell apart. */
  readonly databases = new BoundedNames();

  /** Forgets all databases but these, so that the names of dropped ones take no room from others. */
  keepOnly(databases: ReadonlySet<string>): void {
    for (const name of this.databases.all.difference(databases)) {
      this.databases.forget(name);
      for (const family of this.#families) family.forget(name);
    }
  }

  count(name: string, help: string, labels: readonly string[] = []): Family<Count> {
    const family = new Family(labels, () => new Count(), this.databases);
    this.#families.push(family);
    this.counted(name, help, () => family.all().map((each) => ({ labels: each.labels, value: each.kept.value })));
    return family;
  }

  distribution(name: string, help: string, bounds: readonly number[], labels: readonly string[] = []) {
    const family = new Family(labels, () => new Distribution(bounds), this.databases);
    this.#families.push(family);
    this.distributed(name, help, () => family.all());
    return family;
  }

  /** A number that only grows, which its owner keeps in a field of its own; it is read when somebody looks. */
  counted(name: string, help: string, read: Read<Sample>): void {
    this.#keep({ type: 'count', name, help, read });
  }

  /** The same for histograms. */
  distributed(name: string, help: string, read: Read<Distributed>): void {
    this.#keep({ type: 'distribution', name, help, read });
  }

  /** A figure that is asked for when somebody looks. */
  gauge(name: string, help: string, read: Read<Sample>): void {
    this.#keep({ type: 'gauge', name, help, read });
  }

  #keep(measure: Measure): void {
    if (this.#measures.has(measure.name)) throw new Error(`The measure ${measure.name} is there already.`);
    this.#measures.set(measure.name, measure);
  }
}

/** A gauge's answer where it has no labels. */
export const single = (value: number): Sample[] => [{ labels: {}, value }];
