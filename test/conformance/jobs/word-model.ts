import { type Expected, JobsModel, type ModelJob } from './model.ts';

/** What proc_AddJob of the two word protocols takes; tokens are hexadecimal. */
export interface WordJob {
  readonly JobId: bigint;
  readonly UserTokenHeader: string | null;
  readonly UserTokenSid: string | null;
  readonly UserTokenGroups: string | null;
  readonly PartitionId: string | null;
  readonly Settings: string | null;
  readonly Name: string | null;
}

/** What proc_JobsExpire takes; @AllPartitions is of version 2. */
export interface WordExpiry {
  readonly TimeThreshold: Date | null;
  readonly PartitionId: string | null;
  readonly AllPartitions?: boolean | null;
  readonly JobId: bigint | null;
  readonly IncludeActiveJobs: boolean | null;
}

/** MS-WORDSSP 3.1.5 without a database. */
export class WordModel extends JobsModel {
  addJob({ JobId, PartitionId, Settings, Name, ...owner }: WordJob): Expected {
    const parts = Object.values(owner).filter((part) => part !== null).length;
    if (parts !== 0 && parts !== 3) return { error: 50000 };
    return this.addJobRow(JobId, { PartitionId, Settings, Name, owner });
  }

  getConversionBatch(count: number, threshold: Date): Expected {
    if (count < 0) return { error: 127 };
    return { status: 0, rows: [...this.staleRows(threshold), ...this.notStartedRows()].slice(0, count) };
  }

  protected isInPartition(job: ModelJob, PartitionId: string | null): boolean {
    return PartitionId === null || job.PartitionId === PartitionId;
  }

  protected showsItems(): boolean {
    return true;
  }

  protected shownOwner({ owner }: ModelJob) {
    return owner;
  }

  getJobs(
    PartitionId: string | null,
    UserTokenSid: string | null,
    UserTokenGroups: string | null,
    ActiveOnly: boolean | null,
    SubmittedOnly: boolean | null,
  ) {
    const isWanted = ({ owner }: ModelJob) =>
      UserTokenSid === null ||
      UserTokenGroups === null ||
      (owner['UserTokenSid'] === UserTokenSid && owner['UserTokenGroups'] === UserTokenGroups);
    return this.jobRows((job) => this.isInPartition(job, PartitionId) && isWanted(job), ActiveOnly, SubmittedOnly);
  }

  hasActiveJobs(): Expected {
    return { status: this.activeJobs.length > 0 ? 1 : 0 };
  }

  protected mayExpire(job: ModelJob, { PartitionId }: WordExpiry): boolean {
    return PartitionId === null || job.PartitionId === PartitionId;
  }

  jobsExpire(expiry: WordExpiry): Expected {
    const { TimeThreshold, JobId, IncludeActiveJobs } = expiry;
    this.forget((job) => {
      const items = this.itemsOf(job);
      const isOver = job.CancelTime !== null || (items.length > 0 && items.every(({ StopTime }) => StopTime !== null));
      return (
        this.mayExpire(job, expiry) &&
        (TimeThreshold === null || job.CreateTime < TimeThreshold) &&
        (JobId === null || job.JobId === JobId) &&
        (IncludeActiveJobs === true || isOver)
      );
    });
    return { status: 0 };
  }
}

/** MS-WORDSSP2 3.2.5: as version 1, but for the partitions of proc_JobsExpire. */
export class Word2Model extends WordModel {
  protected override mayExpire(job: ModelJob, { PartitionId, AllPartitions }: WordExpiry): boolean {
    return AllPartitions === true || job.PartitionId === PartitionId;
  }
}
