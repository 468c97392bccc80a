import { Distribution, secondsBounds } from '../base/log/measures.ts';

/** Buckets for the number of calls that share a transaction: powers of two. */
const groupBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Write statistics of a database, kept in plain fields that are read on demand. */
export class WriteFigures {
  /** The number of calls in each transaction. */
  readonly groups = new Distribution(groupBounds);
  /** Seconds until commits were durable. */
  readonly syncs = new Distribution(secondsBounds);

  /** Counts a transaction with this many calls; `start` is when its commit was requested (`performance.now()`). */
  committed(calls: number, start: number): void {
    this.groups.add(calls);
    this.syncs.add((performance.now() - start) / 1000);
  }
}

/** Statistics of the checkpoints of a write-ahead log. */
export class CheckpointFigures {
  readonly seconds = new Distribution(secondsBounds);
  failed = 0;
  /** Reads that were aborted because they kept the log from being restarted. */
  cutReads = 0;
}

/** Connections to PostgreSQL used for one kind of work. */
export interface PoolFigures {
  readonly pool: string;
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** A snapshot of the figures of an open database. */
export interface DatabaseFigures {
  readonly name: string;
  /** Calls and transactions waiting to write. */
  readonly queue: number;
  readonly writes: WriteFigures;
  /** Open read snapshots. */
  readonly readers: number;
  readonly checkpoints?: CheckpointFigures;
  readonly pools?: readonly PoolFigures[];
}

/** A database that reports its figures. */
export interface Measured {
  figures(): DatabaseFigures;
}
