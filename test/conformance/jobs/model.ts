/** An item as the specifications' abstract data model (3.1.1) has it. */
export interface ModelItem {
  StartTime: Date | null;
  StopTime: Date | null;
  AttemptsRemaining: number;
  InputFile: string;
  OutputFile: string | null;
  WorkerServerInstance: string | null;
  ErrorCode: number | null;
}

export interface ModelGroup {
  readonly InputRoot: string | null;
  readonly OutputRoot: string | null;
  readonly items: Map<number, ModelItem>;
}

export interface ModelJob {
  readonly JobId: bigint;
  readonly PartitionId: string | null;
  readonly CreateTime: Date;
  CancelTime: Date | null;
  Submitted: boolean;
  readonly Name: string | null;
  readonly Settings: string | null;
  /** UserId, UserToken or the three token parts, by their names. */
  readonly owner: Readonly<Record<string, unknown>>;
  readonly groups: Map<number, ModelGroup>;
}

/** What names an item. */
export interface Named {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly ItemId: number;
}

export type Rows = readonly Readonly<Record<string, unknown>>[];
/** What a call is expected to give: a status, perhaps rows, or the number of an error. */
export interface Expected {
  readonly status?: number;
  readonly rows?: Rows;
  readonly error?: number;
}

const done: Expected = { status: 0 };

/** What the three job protocols say alike, written once more, without a database. */
export abstract class JobsModel {
  /** In the order they were added. */
  jobs: ModelJob[] = [];
  now: Date;

  constructor(now: Date) {
    this.now = now;
  }

  job(JobId: bigint | null): ModelJob | undefined {
    return this.jobs.find((job) => job.JobId === JobId);
  }

  item({ JobId, GroupId, ItemId }: Named): ModelItem | undefined {
    return this.job(JobId)?.groups.get(GroupId)?.items.get(ItemId);
  }

  itemsOf(job: ModelJob): ModelItem[] {
    return [...job.groups.values()].flatMap(({ items }) => [...items.values()]);
  }

  protected addJobRow(
    JobId: bigint,
    job: Omit<ModelJob, 'JobId' | 'CreateTime' | 'CancelTime' | 'Submitted' | 'groups'>,
  ) {
    if (this.job(JobId)) return { error: 2627 };
    this.jobs.push({ JobId, CreateTime: this.now, CancelTime: null, Submitted: false, groups: new Map(), ...job });
    return done;
  }

  addGroup(
    { JobId, GroupId }: Pick<Named, 'JobId' | 'GroupId'>,
    roots: Pick<ModelGroup, 'InputRoot' | 'OutputRoot'>,
    MaxAttemptsCount: number,
    files: readonly { readonly ItemId: number; readonly InputFile: string; readonly OutputFile: string | null }[],
  ): Expected {
    if (MaxAttemptsCount < 0 || MaxAttemptsCount > 255) return { error: 220 };
    if (new Set(files.map(({ ItemId }) => ItemId)).size < files.length) return { error: 2627 };
    const job = this.job(JobId);
    if (!job) return { error: 547 };
    if (job.groups.has(GroupId)) return { error: 2627 };
    const items = files.map(({ ItemId, InputFile, OutputFile }): [number, ModelItem] => [
      ItemId,
      {
        StartTime: null,
        StopTime: null,
        AttemptsRemaining: MaxAttemptsCount,
        InputFile,
        OutputFile,
        WorkerServerInstance: null,
        ErrorCode: null,
      },
    ]);
    job.groups.set(GroupId, { ...roots, items: new Map(items.sort(([one], [other]) => one - other)) });
    return done;
  }

  submitJob(JobId: bigint): Expected {
    const job = this.job(JobId);
    if (job) job.Submitted = true;
    return done;
  }

  cancelJob(JobId: bigint, PartitionId: string | null): Expected {
    const job = this.job(JobId);
    if (job && job.PartitionId === PartitionId && job.CancelTime === null) job.CancelTime = this.now;
    return done;
  }

  cancelAllActiveJobs(): Expected {
    for (const job of this.jobs) {
      const active = this.itemsOf(job).some(({ StartTime, StopTime }) => StartTime === null || StopTime === null);
      if (job.CancelTime === null && (active || !job.Submitted)) job.CancelTime = this.now;
    }
    return done;
  }

  protected get handedOut(): ModelJob[] {
    return this.jobs.filter(({ Submitted, CancelTime }) => Submitted && CancelTime === null);
  }

  protected batchRows(jobs: readonly ModelJob[], which: (item: ModelItem) => boolean): Rows {
    return jobs.toSorted(compareAge).flatMap((job) =>
      groupsOf(job)
        .flatMap(([GroupId, group]) =>
          [...group.items].filter(([, item]) => which(item)).map(([ItemId, item]) => ({ GroupId, ItemId, item })),
        )
        .map(({ GroupId, ItemId, item }) => ({
          JobId: job.JobId,
          GroupId,
          ItemId,
          InProgress: item.StartTime !== null,
          InputFile: item.InputFile,
          OutputFile: item.OutputFile,
          AttemptsRemaining: item.AttemptsRemaining,
          WorkerServerInstance: item.WorkerServerInstance,
          StartTime: item.StartTime,
          CreateTime: job.CreateTime,
        })),
    );
  }

  protected staleRows(threshold: Date): Rows {
    return this.batchRows(
      this.handedOut,
      ({ StartTime, StopTime }) => StopTime === null && StartTime !== null && StartTime < threshold,
    );
  }

  protected notStartedRows(jobs = this.handedOut): Rows {
    return this.batchRows(jobs, ({ StartTime, StopTime }) => StartTime === null && StopTime === null);
  }

  abstract getConversionBatch(count: number, threshold: Date): Expected;

  getGroups(JobId: bigint, PartitionId: string | null): Expected {
    const job = this.job(JobId);
    if (!job || (PartitionId !== null && job.PartitionId !== PartitionId)) return { status: 0, rows: [] };
    const rows = groupsOf(job).map(([GroupId, { InputRoot, OutputRoot }]) => ({
      GroupId,
      InputRoot,
      OutputRoot,
      CreateTime: job.CreateTime,
      CancelTime: job.CancelTime,
      Submitted: job.Submitted,
      Settings: job.Settings,
    }));
    return { status: 0, rows };
  }

  protected abstract isInPartition(job: ModelJob, PartitionId: string | null): boolean;
  protected abstract showsItems(job: ModelJob, PartitionId: string | null): boolean;

  getItems(
    { JobId, GroupId }: Pick<Named, 'JobId' | 'GroupId'>,
    PartitionId: string | null,
    switches: Readonly<Record<ItemClass, boolean | null>>,
  ): Expected {
    const job = this.job(JobId);
    const group = job?.groups.get(GroupId);
    if (!job || !group || !this.showsItems(job, PartitionId)) return { status: 0, rows: [] };
    const rows = [...group.items]
      .filter(([, item]) => {
        const itemClass = classForItems(job, item);
        return itemClass === undefined || switches[itemClass] !== false;
      })
      .map(([ItemId, { StartTime, StopTime, ErrorCode, InputFile, OutputFile }]) => ({
        ItemId,
        StartTime,
        StopTime,
        ErrorCode,
        InputFile,
        OutputFile,
      }));
    return { status: 0, rows };
  }

  protected jobRows(
    which: (job: ModelJob) => boolean,
    ActiveOnly: boolean | null,
    SubmittedOnly: boolean | null,
  ): Expected {
    const rows = this.jobs
      .filter(which)
      .filter((job) => ActiveOnly !== true || (job.CancelTime === null && this.hasOpenItem(job)))
      .filter(({ Submitted }) => SubmittedOnly !== true || Submitted)
      .sort(compareAge)
      .map(({ JobId, CreateTime, CancelTime, Submitted, Name }) => ({
        JobId,
        CreateTime,
        CancelTime,
        Submitted,
        Name,
      }));
    return { status: 0, rows };
  }

  hasOpenItem(job: ModelJob): boolean {
    return this.itemsOf(job).some(({ StopTime }) => StopTime === null);
  }

  getJobStatus(JobId: bigint | null, PartitionId: string | null): Expected {
    const job = this.job(JobId);
    if (!job || !this.isInPartition(job, PartitionId)) return { status: 0, rows: [] };
    const items = this.itemsOf(job);
    const count = (wanted: ItemClass) => items.filter((item) => classForStatus(job, item) === wanted).length;
    const counts = Object.fromEntries(itemClasses.map((name) => [name, count(name)]));
    return { status: 0, rows: [{ Total: items.length, ...counts, Name: job.Name }] };
  }

  protected get activeJobs(): ModelJob[] {
    return this.handedOut.filter((job) => this.hasOpenItem(job));
  }

  abstract hasActiveJobs(): Expected;

  protected forget(which: (job: ModelJob) => boolean): void {
    this.jobs = this.jobs.filter((job) => !which(job));
  }

  updateConversionBatch(
    started: readonly (Named & { readonly Worker: string })[],
    failed: readonly (Named & { readonly ErrorCode: number })[],
  ): Expected {
    const touched = new Map<string, Named>();
    const once = <T extends Named>(list: readonly T[]) =>
      new Map(list.map((named) => [`${named.JobId}/${named.GroupId}/${named.ItemId}`, named])).values();
    for (const named of once(started)) {
      const item = this.item(named);
      if (!item) continue;
      item.StartTime = this.now;
      item.WorkerServerInstance = named.Worker;
      item.AttemptsRemaining = Math.max(0, item.AttemptsRemaining - 1);
      touched.set(`${named.JobId}/${named.GroupId}`, named);
    }
    for (const named of once(failed)) {
      const item = this.item(named);
      if (!item) continue;
      item.WorkerServerInstance = null;
      item.ErrorCode = named.ErrorCode;
      item.StopTime = this.now;
      touched.set(`${named.JobId}/${named.GroupId}`, named);
    }
    const rows = [...touched.values()]
      .sort((one, other) => Number(one.JobId) - Number(other.JobId) || one.GroupId - other.GroupId)
      .flatMap(({ JobId, GroupId }) => {
        const job = this.job(JobId);
        const group = job?.groups.get(GroupId);
        if (!job || !group) return [];
        const { InputRoot, OutputRoot } = group;
        return [{ JobId, GroupId, InputRoot, OutputRoot, Settings: job.Settings, ...this.shownOwner(job) }];
      });
    return { status: 0, rows };
  }

  protected abstract shownOwner(job: ModelJob): Readonly<Record<string, unknown>>;

  updateFailedItem(named: Named, NoRetry: boolean | null, ErrorCode: number | null): Expected {
    const item = this.item(named);
    if (!item) return done;
    item.WorkerServerInstance = null;
    if (NoRetry === false && item.AttemptsRemaining > 0) {
      item.StartTime = null;
    } else {
      item.StopTime = this.now;
      item.ErrorCode = ErrorCode;
      item.AttemptsRemaining = 0;
    }
    return done;
  }

  updateSucceededItem(named: Named): Expected {
    const item = this.item(named);
    if (item) Object.assign(item, { StopTime: this.now, ErrorCode: null, WorkerServerInstance: null });
    return done;
  }
}

export const itemClasses = ['NotSubmitted', 'NotStarted', 'InProgress', 'Succeeded', 'Failed', 'Canceled'] as const;
export type ItemClass = (typeof itemClasses)[number];

/** The order of jobs: by CreateTime, then by JobId. */
function compareAge(one: ModelJob, other: ModelJob): number {
  return Number(one.CreateTime) - Number(other.CreateTime) || Number(one.JobId - other.JobId);
}

function groupsOf(job: ModelJob): [number, ModelGroup][] {
  return [...job.groups].sort(([one], [other]) => one - other);
}

/** The class of an item in proc_GetJobStatus.ResultSet0. */
function classForStatus(job: ModelJob, item: ModelItem): ItemClass | undefined {
  const { Submitted, CancelTime } = job;
  const { StartTime, StopTime, ErrorCode } = item;
  if (!Submitted) return CancelTime === null ? 'NotSubmitted' : undefined;
  if (CancelTime === null && StartTime === null) return 'NotStarted';
  if (CancelTime === null && StopTime === null) return 'InProgress';
  if (StartTime !== null && StopTime !== null) return ErrorCode === null ? 'Succeeded' : 'Failed';
  return StopTime === null ? 'Canceled' : undefined;
}

/** The class of an item for the switches of proc_GetItems: Canceled does not ask for Submitted there. */
function classForItems(job: ModelJob, item: ModelItem): ItemClass | undefined {
  if (job.CancelTime !== null && item.StopTime === null) return 'Canceled';
  return classForStatus(job, item);
}
