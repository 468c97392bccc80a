import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/** A checkpoint to run: `passive` waits for nobody, `restart` waits briefly for readers so that the log can start over. */
export interface CheckpointRequest {
  readonly id: number;
  readonly path: string;
  readonly mode: 'passive' | 'restart';
}

/** What became of a checkpoint: whether somebody was in its way, and how many pages the log has. */
export interface CheckpointAnswer {
  readonly id: number;
  readonly busy: boolean;
  readonly pages: number;
  readonly error?: string;
}

/** How long `restart` waits for readers, and the writers with it. */
const patience = 50;

parentPort?.on('message', (request: CheckpointRequest) => {
  parentPort?.postMessage(checkpoint(request));
});

/** A connection a checkpoint, so that a dropped database is never kept open here. */
function checkpoint({ id, path, mode }: CheckpointRequest): CheckpointAnswer {
  try {
    using database = new DatabaseSync(path, { timeout: patience });
    const row = database.prepare(`pragma wal_checkpoint(${mode})`).get();
    return { id, busy: row?.['busy'] !== 0, pages: Number(row?.['log']) };
  } catch (error) {
    return { id, busy: true, pages: 0, error: String(error) };
  }
}
