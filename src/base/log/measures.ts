/** What a sample refers to: the database, the procedure and so on. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a measure. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A counter. */
export class Count {
  value = 0;

  add(by = 1): void {
    this.value += by;
  }
}

/** A histogram. */
export class Distribution {
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** The number of values per bucket; the last bucket counts those above the last bound. */
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

  /** Adds the counts of another histogram with the same bounds. */
  merge({ counts, sum }: Distribution): void {
    for (const [bucket, count] of counts.entries()) this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    this.sum += sum;
  }

  /** The upper bound of the bucket that contains a quantile; 0 if there are no values. */
  quantile(share: number): number {
    let left = this.count * share;
    const bucket = this.counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return this.count === 0 ? 0 : (this.bounds[bucket] ?? this.bounds.at(-1) ?? 0);
  }
}

/** A sample of a histogram. */
export interface Distributed {
  readonly labels: Labels;
  readonly kept: Distribution;
}

/**
 * The maximum number of label sets per family; clients choose some of the values, so further ones are counted together.
 */
const mostSets = 2000;
const beyond = 'other';

/** The maximum number of databases that measures distinguish, the first ones seen; a server may have thousands. */
const mostDatabases = 50;

/** The names that measures distinguish; all others count as one. */
class BoundedNames {
  readonly #known = new Set<string>();

  /** The name, or `other` if there were too many before it. */
  of(name: string): string {
    if (this.#known.has(name)) return name;
    if (this.#known.size >= mostDatabases) return beyond;
    this.#known.add(name);
    return name;
  }

  /** The names that are distinguished at present. */
  get all(): ReadonlySet<string> {
    return this.#known;
  }

  /** Frees the slot of a name. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}

/** A node of a trie over label values, with the counter or histogram of a complete set. */
class Level<Kept> {
  readonly below = new Map<string, Level<Kept>>();
  kept: Kept | undefined;
}

/** Counters or histograms that differ in their labels. */
export class Family<Kept> {
  readonly labels: readonly string[];
  readonly #make: () => Kept;
  readonly #databases: BoundedNames;
  readonly #database: number;
  readonly #kept = new Map<string, { readonly labels: Labels; readonly kept: Kept }>();
  /** A cache that needs no concatenated key, since every call looks something up. */
  #known = new Level<Kept>();

  constructor(labels: readonly string[], make: () => Kept, databases = new BoundedNames()) {
    this.labels = labels;
    this.#make = make;
    this.#databases = databases;
    this.#database = labels.indexOf('database');
  }

  /** The member with these label values, given in order. */
  of(...values: readonly string[]): Kept {
    let level: Level<Kept> | undefined = this.#known;
    for (let at = 0; at < values.length && level !== undefined; at++) level = level.below.get(values[at] ?? '');
    return level?.kept ?? this.#find(values);
  }

  #find(values: readonly string[]): Kept {
    const kept = this.#keep(values);
    // What is counted as `other` is not cached: clients choose these values, and there is no end to them.
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

  /** Drops the members of a database. */
  forget(database: string): void {
    for (const [key, { labels }] of this.#kept) if (labels['database'] === database) this.#kept.delete(key);
    this.#known = new Level();
  }
}

type Read<Figure> = () => Iterable<Figure> | Promise<Iterable<Figure>>;

/** A named measure and how it is read. */
export type Measure = { readonly name: string; readonly help: string } & (
  | { readonly type: 'count' | 'gauge'; readonly read: Read<Sample> }
  | { readonly type: 'distribution'; readonly read: Read<Distributed> }
);

/** Bucket bounds in seconds for calls and syncs: from a tenth of a millisecond to ten seconds. */
export const secondsBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** The registry of a server's measures, which exporters read. */
export class Measures {
  readonly #measures = new Map<string, Measure>();
  readonly #families: { forget(database: string): void }[] = [];

  /** All measures, in the order of their registration. */
  all(): readonly Measure[] {
    return [...this.#measures.values()];
  }

  /** The databases that the measures distinguish. */
  readonly databases = new BoundedNames();

  /** Forgets all databases but these, so that dropped ones do not take slots from others. */
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

  /** A counter whose owner keeps the value in a field of its own; it is read on demand. */
  counted(name: string, help: string, read: Read<Sample>): void {
    this.#keep({ type: 'count', name, help, read });
  }

  /** The same for a histogram. */
  distributed(name: string, help: string, read: Read<Distributed>): void {
    this.#keep({ type: 'distribution', name, help, read });
  }

  /** A gauge, read on demand. */
  gauge(name: string, help: string, read: Read<Sample>): void {
    this.#keep({ type: 'gauge', name, help, read });
  }

  #keep(measure: Measure): void {
    if (this.#measures.has(measure.name)) throw new Error(`The measure ${measure.name} is already registered.`);
    this.#measures.set(measure.name, measure);
  }
}

/** The samples of a gauge without labels. */
export const single = (value: number): Sample[] => [{ labels: {}, value }];
