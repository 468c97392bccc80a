/** A crawl, in the numbers of 2.2.1.2 to 2.2.1.8. */
export interface Crawl {
  readonly id: number;
  readonly project: number;
  type: number;
  readonly source: number;
  readonly main: number;
  status: number;
  sub: number;
  request: number;
}

/** A component in a crawl. */
interface Joined {
  readonly crawl: number;
  readonly component: number;
  status: number;
  isIdle: boolean;
  successes: number;
}

/** A crawl component of the topology. */
interface Component {
  readonly number: number;
  readonly store: number;
  state: number;
  isMaster: boolean;
  reported: number | null;
}

/** The inputs of a stage. */
export interface AdminStage {
  readonly stage: number;
  readonly component: number;
  readonly project: number;
  readonly type: number;
  readonly crawl: number;
  readonly source: number;
  readonly misc: number;
}

const minute = 60_000;
const over: readonly number[] = [5, 11, 12];
const unusable: readonly number[] = [3, 5, 6];

/** What a stage sets on the crawl that it names, whatever else is the case: status, sub-status, request. */
const settings: Readonly<Record<number, Partial<Pick<Crawl, 'status' | 'sub' | 'request'>>>> = {
  103: { status: 1, sub: 2, request: 0 },
  105: { status: 5, sub: 0, request: 0 },
  111: { status: 13, sub: 1, request: 0 },
  114: { status: 12, sub: 0 },
  121: { status: 8, request: 0 },
  131: { status: 7, request: 0 },
  150: { status: 14, sub: 1 },
  152: { sub: 4 },
};

/** What a stage sets once no component of the crawl has another status than this. */
const whenAll: Readonly<Record<number, readonly [status: number, change: Partial<Crawl>]>> = {
  113: [12, { sub: 2 }],
  123: [9, { status: 9 }],
  133: [4, { status: 4 }],
  146: [11, { sub: 2 }],
};

/** What a component reports of itself in a crawl. */
const reports: Readonly<Record<number, Partial<Joined>>> = {
  106: { status: 4 },
  112: { status: 12 },
  122: { status: 9 },
  132: { status: 4 },
  142: { isIdle: true },
  143: { isIdle: false },
  147: { status: 11 },
};

/** The administration database as sections 3.1.5.8, 3.1.5.9, 3.1.5.25 and 3.1.5.72 describe it: crawls, components and stores. */
export class AdminModel {
  crawls: Crawl[] = [];
  joined: Joined[] = [];
  stores: { readonly crawl: number; readonly store: number; readonly since: number }[] = [];
  deletes: { crawl: number; readonly source: number; readonly start: number }[] = [];
  readonly components: Component[] = [0, 0, 1].map((store, number) => ({
    number,
    store,
    state: 1,
    isMaster: false,
    reported: null,
  }));
  #last = 1;

  /** Runs a stage; @MiscOutputData where it is not the crawl. */
  run(input: AdminStage, now: number): number | undefined {
    const crawl = this.crawls.find(({ id }) => id === input.crawl);
    const set = settings[input.stage];
    if (set && crawl) Object.assign(crawl, set);
    const waited = whenAll[input.stage];
    if (waited && crawl && this.#of(input.crawl).every(({ status }) => status === waited[0])) {
      Object.assign(crawl, waited[1]);
    }
    const report = reports[input.stage];
    const own = this.#of(input.crawl).find(({ component }) => component === input.component);
    if (report && own) Object.assign(own, report);
    return this.#others[input.stage]?.(input, crawl, now);
  }

  #of(crawl: number): Joined[] {
    return this.joined.filter((one) => one.crawl === crawl);
  }

  readonly #others: Readonly<
    Record<number, (input: AdminStage, crawl: Crawl | undefined, now: number) => number | undefined>
  > = {
    91: () => {
      [this.crawls, this.joined, this.stores, this.deletes] = [[], [], [], []];
      return undefined;
    },
    94: ({ component }, _, now) => this.#ready(component, now),
    95: ({ component }, _, now) => this.#report(component, now),
    96: ({ misc }, _, now) => this.#lookForSilent(misc, now),
    97: ({ component }) => this.#component(component)?.state ?? 0,
    98: ({ component, misc }) => this.#setState(component, misc),
    100: (input) => this.#request({ project: input.project, type: input.type, source: input.source }, input.misc).id,
    102: (input, crawl) => this.#begin(input, crawl),
    104: (input, crawl) => this.#start(input, crawl),
    108: ({ crawl: id, misc }, crawl, now) => {
      if (crawl && this.components.some(({ store }) => store === misc)) this.#joinStore(id, misc, now);
      return undefined;
    },
    110: ({ source }) => this.#ask(source, 2, ({ type, status }) => type !== 3 && ![5, 11, 12, 13].includes(status)),
    120: ({ source }) => this.#ask(source, 3, ({ status, request }) => status === 4 && request === 0),
    130: ({ source }) => this.#ask(source, 4, ({ status }) => status === 9),
    140: (input, crawl) => this.#lookForIdle(input, crawl),
    144: (input, crawl) => {
      for (const one of this.#of(input.crawl)) one.isIdle = false;
      if (crawl) crawl.sub = 3;
      return undefined;
    },
    148: (input, crawl) => this.#complete(input, crawl),
    160: ({ source }) => this.#delete(source, 0),
    161: ({ source, misc }) => this.#delete(source, misc),
    162: ({ misc }) => this.#disable(misc, 3),
    164: ({ project, source }) => {
      this.#request({ project, type: 3, source }, 0);
      return undefined;
    },
    165: ({ misc }) => this.#disable(misc, 6),
  };

  #component(number: number): Component | undefined {
    return this.components.find((one) => one.number === number);
  }

  #ready(number: number, now: number): undefined {
    const component = this.#component(number);
    if (component === undefined) return;
    component.state = 1;
    component.reported ??= now;
    for (const { id, status } of this.crawls) {
      const takesPart = this.stores.some(({ crawl, store }) => crawl === id && store === component.store);
      if (!over.includes(status) && takesPart) this.#join(id, number);
    }
  }

  #report(number: number, now: number): number {
    const component = this.#component(number);
    if (component && component.state !== 3 && component.state !== 6) component.reported = now;
    return component?.state ?? 0;
  }

  #lookForSilent(minutes: number, now: number): number {
    const [silent] = this.components
      .filter((one) => !unusable.includes(one.state) && this.#lastHeardOf(one) < now - minutes * minute)
      .toSorted((one, other) => this.#lastHeardOf(one) - this.#lastHeardOf(other));
    if (!this.components.some(({ isMaster }) => isMaster)) {
      const master = this.components.find(({ state }) => state === 1);
      if (master) master.isMaster = true;
    }
    return silent?.number ?? 0x7fffffff;
  }

  /** When a component reported last; without that, when a crawl that is under way began to wait for it. */
  #lastHeardOf({ number, store, reported }: Component): number {
    if (reported !== null) return reported;
    const joins = this.stores.filter(
      (one) =>
        one.store === store &&
        this.#of(one.crawl).some(({ component }) => component === number) &&
        this.crawls.some(({ id, status }) => id === one.crawl && !over.includes(status)),
    );
    return Math.min(...joins.map(({ since }) => since));
  }

  #setState(number: number, state: number): undefined {
    const component = this.#component(number);
    if (component) Object.assign(component, { state, isMaster: state === 5 ? false : component.isMaster });
  }

  #request(wanted: Pick<Crawl, 'project' | 'type' | 'source'>, main: number): Crawl {
    const crawl = {
      id: ++this.#last,
      ...wanted,
      main: wanted.project === 2 ? main : 0,
      status: 0,
      sub: 0,
      request: 1,
    };
    this.crawls.push(crawl);
    return crawl;
  }

  #begin({ type, source, crawl: id }: AdminStage, crawl: Crawl | undefined): undefined {
    if (crawl === undefined) return;
    if (type === 3) for (const one of this.deletes) if (one.crawl === 0 && one.source === source) one.crawl = id;
    crawl.type = type;
    const isCrawled = this.crawls.some(
      (other) =>
        other !== crawl &&
        other.source === source &&
        other.type !== 3 &&
        other.project === crawl.project &&
        !over.includes(other.status),
    );
    Object.assign(crawl, type !== 3 && isCrawled ? settings[105] : { status: 1, sub: 1, request: 0 });
  }

  #start({ crawl: id }: AdminStage, crawl: Crawl | undefined): undefined {
    if (crawl === undefined || this.#of(id).some(({ status }) => status !== 4)) return;
    const isCrawling = [4, 7, 8, 9].includes(crawl.status);
    Object.assign(crawl, { status: 4, sub: isCrawling ? crawl.sub : 1 });
  }

  #join(crawl: number, component: number): void {
    if (this.#of(crawl).some((one) => one.component === component)) return;
    this.joined.push({ crawl, component, status: 0, isIdle: false, successes: 0 });
  }

  #joinStore(crawl: number, store: number, since: number): void {
    const isThere = this.stores.some((one) => one.crawl === crawl && one.store === store);
    if (!isThere) this.stores.push({ crawl, store, since });
    for (const { number, store: its, state } of this.components) {
      if (its === store && !unusable.includes(state)) this.#join(crawl, number);
    }
  }

  #ask(source: number, request: number, which: (crawl: Crawl) => boolean): undefined {
    for (const crawl of this.crawls) if (crawl.source === source && which(crawl)) crawl.request = request;
  }

  #lookForIdle({ crawl: id }: AdminStage, crawl: Crawl | undefined): undefined {
    if (crawl?.status !== 4 || this.#of(id).some(({ isIdle }) => !isIdle)) return;
    const lacksComponents = ({ crawl: of, store }: { crawl: number; store: number }) =>
      of === id && !this.#of(id).some(({ component }) => this.#component(component)?.store === store);
    if (this.stores.some(lacksComponents)) return;
    const isShort = crawl.project === 2 || crawl.type === 3;
    if (crawl.sub === 3) crawl.sub = 4;
    else if (crawl.sub === 1) crawl.sub = isShort ? 4 : 2;
  }

  #complete({ crawl: id, project }: AdminStage, crawl: Crawl | undefined): undefined {
    if (crawl === undefined) return;
    Object.assign(crawl, { status: 11, sub: 0 });
    const anchor = { project: 2, type: 2, source: 1 };
    if (project === 1) this.#request(anchor, id);
    if (project !== 2) return;
    const isRepeated = ({ main, id: failed }: Crawl) =>
      this.crawls.some((one) => one.project === 2 && one.main === main && one.id > failed);
    const failed = this.crawls.filter((one) => one.project === 2 && one.status === 5 && !isRepeated(one)).at(-1);
    if (failed) this.#request(anchor, failed.main);
  }

  #delete(source: number, start: number): undefined {
    this.deletes.push({ crawl: 0, source, start });
  }

  #disable(number: number, state: number): undefined {
    const component = this.#component(number);
    if (component) Object.assign(component, { state, isMaster: false });
    this.joined = this.joined.filter((one) => one.component !== number);
  }

  /** proc_MSS_CrawlStoreToJoinAllOngoingCrawls. */
  joinAll(store: number, now: number): void {
    if (!this.components.some((one) => one.store === store)) return;
    for (const { id, status } of this.crawls) {
      if (over.includes(status) || this.stores.some((one) => one.crawl === id && one.store === store)) continue;
      this.#joinStore(id, store, now);
    }
  }

  /** proc_MSS_RemoveCrawlStoreFromAllCrawls. */
  leaveAll(store: number): void {
    this.stores = this.stores.filter((one) => one.store !== store);
  }

  /** proc_MSS_UpdateCrawlStatistics. */
  count(crawl: number, component: number, successes: number): void {
    const own = this.#of(crawl).find((one) => one.component === component);
    if (own) own.successes += successes;
  }

  /** proc_MSS_GetContentSourceDocCount: its successes. */
  successesOf(source: number): number {
    const latest = this.crawls.filter((one) => one.source === source && one.project === 1 && one.status !== 5).at(-1);
    return latest ? this.#of(latest.id).reduce((sum, { successes }) => sum + successes, 0) : 0;
  }

  /** proc_MSS_GetCrawls: what the master, or a component, hears of. */
  heard(project: number, component: number | undefined): readonly Crawl[] {
    return this.crawls.filter((crawl) => {
      if (crawl.project !== project || over.includes(crawl.status)) return false;
      if (component === undefined) return true;
      const own = this.#of(crawl.id).find((one) => one.component === component);
      return own !== undefined && concerns(crawl, own);
    });
  }
}

function concerns({ status, sub }: Crawl, own: Joined): boolean {
  if (status === 4 || status === 9) return true;
  if (status === 1) return sub === 2;
  if (status === 8) return own.status !== 9;
  if (status === 7) return own.status !== 4;
  if (status === 13) return sub === 1 && own.status !== 12;
  return status === 14 && sub === 1 && own.status !== 11;
}
