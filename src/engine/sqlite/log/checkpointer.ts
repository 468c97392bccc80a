import { Thread } from '../../../base/threads/thread.ts';
import { EngineFault, messageOf } from '../../fault.ts';
import { keptLog } from '../connection.ts';
import { existingFile } from '../files/existing-file.ts';
import { smallThread } from './small-thread.ts';

/**
 * A checkpoint to run: `passive` waits for nobody, `restart` waits briefly for readers so that the log can start over,
 * and `begin` restarts a log that has been copied completely.
 */
export interface CheckpointRequest {
  /** The database file, as a URL. */
  readonly file: string;
  readonly mode: 'passive' | 'restart' | 'begin';
  /** Bytes to which the log file is truncated when it starts over. */
  readonly keptLog: number;
}

/** The result of a checkpoint: whether it was blocked, how many pages the log has, and how many of them are copied. */
export interface CheckpointAnswer {
  readonly busy: boolean;
  readonly pages: number;
  readonly copied: number;
}

/** Runs checkpoints in a thread of its own: they write and sync whole files, which would block every session here. */
export class Checkpointer {
  readonly #thread = new Thread<CheckpointRequest, CheckpointAnswer>(
    new URL('./checkpoint-worker.js', import.meta.url),
    { resourceLimits: smallThread },
  );

  async run(path: string, mode: CheckpointRequest['mode']): Promise<CheckpointAnswer> {
    try {
      return await this.#thread.run({ file: existingFile(path).href, mode, keptLog });
    } catch (cause) {
      throw new EngineFault(messageOf(cause), { cause });
    }
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
