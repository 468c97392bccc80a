import type { Distribution } from '../../../base/log/measures.ts';
import type { Connection } from '../connection.ts';
import type { FarProcesses } from '../far/far-process.ts';
import type { Checkpoints } from '../log/checkpoints.ts';
import type { LogRoom } from '../log/log-room.ts';
import type { LogSync } from '../log/log-sync.ts';

/** The options of a writer. */
export interface WriterOptions {
  readonly connection: Connection;
  readonly sync: LogSync;
  readonly checkpoints: Checkpoints;
  readonly room: LogRoom;
  /** The helper processes for transactions that take too long in this one. */
  readonly farProcesses: FarProcesses;
  /** Records how many calls each transaction had. */
  readonly groups: Distribution;
  readonly time?: (() => number) | undefined;
}
