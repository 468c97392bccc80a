// Plain JavaScript: stripping types would cost this thread 18 MB.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';

/** Milliseconds for which `restart` waits for readers, and makes writers wait. */
const patience = 50;

/** @param {import('../../../base/threads/thread.ts').ThreadMessage<import('./checkpointer.ts').CheckpointAnswer>} message */
const tell = (message) => parentPort?.postMessage(message);

parentPort?.on('message', (request) => {
  try {
    tell({ answer: checkpoint(request) });
  } catch (failure) {
    tell({ failure });
  }
});
setImmediate(() => tell('loaded'));

/**
 * Opens a connection per checkpoint, so that a dropped database is never kept open here; for a missing one there is
 * nothing to copy.
 * @param {import('./checkpointer.ts').CheckpointRequest} request
 * @returns {import('./checkpointer.ts').CheckpointAnswer}
 */
function checkpoint({ file, mode, keptLog }) {
  const url = new URL(file);
  if (!existsSync(url)) return { busy: false, pages: 0, copied: 0 };
  const database = new DatabaseSync(url, { timeout: patience });
  try {
    if (mode === 'begin') return begun(database, keptLog);
    const row = database.prepare(`pragma wal_checkpoint(${mode})`).get();
    return { busy: row?.['busy'] !== 0, pages: Number(row?.['log']), copied: Number(row?.['checkpointed']) };
  } finally {
    database.close();
  }
}

/**
 * The first commit to a restarted log syncs its header, and its writer waits for the disk: so it is made here. It changes
 * nothing, and leaves one page in the log.
 * @param {DatabaseSync} database
 * @param {number} keptLog
 * @returns {import('./checkpointer.ts').CheckpointAnswer}
 */
function begun(database, keptLog) {
  database.exec(`pragma synchronous = normal; pragma journal_size_limit = ${keptLog}`);
  const number = Number(database.prepare('pragma user_version').get()?.['user_version']);
  database.exec(`pragma user_version = ${number}`);
  return { busy: false, pages: 1, copied: 1 };
}
