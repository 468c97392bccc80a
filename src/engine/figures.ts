import { Distribution, secondsBounds } from '../base/measures.ts';

/** Calls that share a transaction, in powers of two. */
const groupBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** What a database counts of its writing, in plain fields: whoever wants to know reads them. */
export class WriteFigures {
  /** How many calls each transaction had. */
  readonly groups = new Distribution(groupBounds);
  /** Seconds until commits were on disk. */
  readonly syncs = new Distribution(secondsBounds);

  /** Counts a transaction of so many calls, whose commit was asked for at a moment of `performance.now()`. */
  committed(calls: number, start: number): void {
    this.groups.add(calls);
    this.syncs.add((performance.now() - start) / 1000);
  }
}

/** What the checkpoints of a log came to. */
export class CheckpointFigures {
  readonly seconds = new Distribution(secondsBounds);
  failed = 0;
  /** Reads that were cut because they kept the log from starting over. */
  cutReads = 0;
}

/** Connections to PostgreSQL that do one kind of work. */
export interface PoolFigures {
  readonly pool: string;
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
}

/** What an open database says of itself at a moment. */
export interface DatabaseFigures {
  readonly name: string;
  /** Calls and transactions that wait for their turn to write. */
  readonly queue: number;
  readonly writes: WriteFigures;
  /** Snapshots that somebody reads now. */
  readonly readers: number;
  readonly checkpoints?: CheckpointFigures;
  readonly pools?: readonly PoolFigures[];
}

/** A database that says how it is doing. */
export interface Measured {
  figures(): DatabaseFigures;
}
