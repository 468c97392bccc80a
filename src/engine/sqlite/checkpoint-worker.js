// Plain JavaScript: a thread that has to strip types first holds 18 MB for it.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/** How long `restart` waits for readers, and the writers with it. */
const patience = 50;

parentPort?.on('message', (request) => {
  parentPort?.postMessage(checkpoint(request));
});

/**
 * A connection a checkpoint, so that a dropped database is never kept open here; one that is gone has nothing to copy.
 * @param {import('./checkpointer.ts').CheckpointRequest} request
 * @returns {import('./checkpointer.ts').CheckpointAnswer}
 */
function checkpoint({ id, file, mode }) {
  let database;
  try {
    const url = new URL(file);
    if (!existsSync(url)) return { id, busy: false, pages: 0 };
    database = new DatabaseSync(url, { timeout: patience });
    const row = database.prepare(`pragma wal_checkpoint(${mode})`).get();
    return { id, busy: row?.['busy'] !== 0, pages: Number(row?.['log']) };
  } catch (error) {
    return { id, busy: true, pages: 0, error: String(error) };
  } finally {
    database?.close();
  }
}
