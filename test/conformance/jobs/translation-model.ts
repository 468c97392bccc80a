import { type Expected, JobsModel, type ModelItem, type ModelJob } from './model.ts';

const allPartitions = '00000000-0000-0000-0000-000000000000';
const hourLength = 3_600_000;

/** What proc_JobsExpire of MS-TSSPROC takes. */
export interface TranslationExpiry {
  readonly TimeThreshold: Date | null;
  readonly PartitionId: string | null;
  readonly AllPartitions: boolean | null;
  readonly JobId: bigint | null;
  readonly IncludeActiveJobs: boolean;
}

/** MS-TSSPROC 3.1.5 without a database. */
export class TranslationModel extends JobsModel {
  /** Items added, by partition and hour. */
  readonly counts: { partition: string; hour: number; items: number }[] = [];

  addJob(job: {
    readonly JobId: bigint;
    readonly UserId: string | null;
    readonly UserToken: string;
    readonly PartitionId: string | null;
    readonly Settings: string;
    readonly Name: string | null;
    readonly ItemCount: number | null;
    readonly MaxItemsPerDay: number | null;
    readonly MaxItemsPerPartitionPerDay: number | null;
  }): Expected {
    const { JobId, UserId, UserToken, PartitionId, Settings, Name, ItemCount } = job;
    const hour = Math.floor(this.now.getTime() / hourLength);
    const partition = PartitionId ?? allPartitions;
    if (ItemCount !== null) {
      const exceeds = (limit: number | null, sum: number) => limit !== null && sum + ItemCount > limit;
      if (
        exceeds(
          job.MaxItemsPerDay,
          this.#added(hour, () => true),
        )
      )
        return { status: 1 };
      if (
        exceeds(
          job.MaxItemsPerPartitionPerDay,
          this.#added(hour, (one) => one === partition),
        )
      )
        return { status: 1 };
    }
    const added = this.addJobRow(JobId, { PartitionId, Settings, Name, owner: { UserId, UserToken } });
    if (ItemCount !== null && !('error' in added)) this.counts.push({ partition, hour, items: ItemCount });
    return added;
  }

  #added(hour: number, which: (partition: string) => boolean): number {
    return this.counts
      .filter((count) => which(count.partition) && count.hour > hour - 24 && count.hour <= hour)
      .reduce((sum, { items }) => sum + items, 0);
  }

  getItemCount(PartitionId: string, Hour: number, day: Date): Expected {
    const hour = day.getTime() / hourLength + Hour;
    return { status: this.#added(hour, (one) => PartitionId === allPartitions || one === PartitionId) };
  }

  updateItemCount(PartitionId: string, Hour: number, day: Date, ItemCount: number): Expected {
    this.counts.push({ partition: PartitionId, hour: day.getTime() / hourLength + Hour, items: ItemCount });
    return { status: 0 };
  }

  getConversionBatch(count: number, threshold: Date): Expected {
    if (count < 0) return { error: 127 };
    return { status: 0, rows: [...this.staleRows(threshold), ...this.notStartedRows().slice(0, count)] };
  }

  getConversionBatchInterleaved(count: number, threshold: Date): Expected {
    if (count < 0) return { error: 127 };
    const partitions = [...new Set(this.jobs.map(({ PartitionId }) => PartitionId ?? ''))].sort();
    const dealt = partitions
      .flatMap((partition) =>
        this.notStartedRows(this.handedOut.filter(({ PartitionId }) => (PartitionId ?? '') === partition)).map(
          (row, place) => ({ row, place, partition }),
        ),
      )
      .sort((one, other) => one.place - other.place || (one.partition < other.partition ? -1 : 1))
      .slice(0, count);
    return { status: 0, rows: [...this.staleRows(threshold), ...dealt.map(({ row }) => row)] };
  }

  protected isInPartition(job: ModelJob, PartitionId: string | null): boolean {
    return job.PartitionId === PartitionId;
  }

  protected showsItems(job: ModelJob, PartitionId: string | null): boolean {
    return job.PartitionId === PartitionId;
  }

  protected shownOwner({ PartitionId, owner }: ModelJob) {
    return { PartitionId, UserToken: owner['UserToken'] };
  }

  getJobs(
    PartitionId: string | null,
    UserId: string | null,
    ActiveOnly: boolean | null,
    SubmittedOnly: boolean | null,
  ) {
    return this.jobRows(
      (job) => job.PartitionId === PartitionId && (UserId === null || job.owner['UserId'] === UserId),
      ActiveOnly,
      SubmittedOnly,
    );
  }

  hasActiveJobs(): Expected {
    return { status: this.activeJobs.length };
  }

  jobsExpire({ TimeThreshold, PartitionId, AllPartitions, JobId, IncludeActiveJobs }: TranslationExpiry): Expected {
    const gate = (job: ModelJob) => AllPartitions === true || job.PartitionId === PartitionId;
    const isBefore = (moment: Date | null) => moment !== null && (TimeThreshold === null || moment < TimeThreshold);
    const hasStopped = ({ StopTime }: ModelItem) => isBefore(StopTime);
    if (JobId !== null) this.forget((job) => gate(job) && job.JobId === JobId);
    else if (IncludeActiveJobs) this.forget((job) => gate(job) && isBefore(job.CreateTime));
    else {
      this.forget((job) => {
        if (!gate(job)) return false;
        if (isBefore(job.CancelTime)) return true;
        if (TimeThreshold !== null && isBefore(job.CreateTime) && !job.Submitted) return true;
        const items = this.itemsOf(job);
        return items.length > 0 && items.every(hasStopped);
      });
      for (const job of this.jobs.filter(gate)) {
        for (const { items } of job.groups.values()) {
          for (const [ItemId, item] of items) if (hasStopped(item)) items.delete(ItemId);
        }
      }
    }
    return { status: 0 };
  }
}
