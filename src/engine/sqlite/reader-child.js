// Plain JavaScript: a process that has to strip types first holds 18 MB for it.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** @typedef {import('./reader-process.ts').ReaderRequest} ReaderRequest */
/** @typedef {import('./reader-process.ts').ReaderAnswer} ReaderAnswer */

/** Milliseconds after which a batch is handed over though it is not full. */
const turnLength = 10;
const rowsInABatch = 512;

/** @type {DatabaseSync | undefined} */
let database;
/** @type {Map<number, Iterator<unknown>>} */
const open = new Map();

process.on('message', (request) => {
  try {
    process.send?.({ answer: answer(/** @type {ReaderRequest} */ (request)) });
  } catch (failure) {
    process.send?.({ failure });
  }
});
// Without its server it has nobody to read for.
process.on('disconnect', () => process.exit());

/**
 * @param {ReaderRequest} request
 * @returns {ReaderAnswer}
 */
function answer(request) {
  switch (request.kind) {
    case 'begin':
      connect(request.file, request.pragmas);
      database?.exec('begin; select 1 from sqlite_schema limit 1');
      return {};
    case 'query': {
      if (database === undefined) throw new Error('a query came before its snapshot');
      const { text, parameters, wide } = request;
      const statement = database.prepare(text);
      statement.setReturnArrays(true);
      statement.setReadBigInts(wide);
      open.set(request.id, statement.iterate(...parameters));
      return { columns: statement.columns().map(({ name }) => name), ...batch(request.id) };
    }
    case 'more':
      return batch(request.id);
    case 'stop':
      open.get(request.id)?.return?.();
      open.delete(request.id);
      return {};
    case 'end':
      end();
      return {};
  }
}

/**
 * What connections of the server have too (connection.ts).
 * @param {DatabaseSync} connection
 */
function addFunctions(connection) {
  const options = { deterministic: true, varargs: true, useBigIntArguments: true };
  /** @param {(one: any, other: any) => boolean} better */
  const pick =
    (better) =>
    /** @param {any[]} values */
    (...values) =>
      values.reduce((best, value) => (value !== null && (best === null || better(value, best)) ? value : best), null);
  connection.function(
    'greatest',
    options,
    pick((one, other) => one > other),
  );
  connection.function(
    'least',
    options,
    pick((one, other) => one < other),
  );
}

/** What the connection is open on: the file of that name may be another one by now. */
let connected = '';

/**
 * Opens a file, unless it is the one that is open: its pages are in the cache.
 * @param {string} file
 * @param {string} pragmas
 */
function connect(file, pragmas) {
  end();
  const url = new URL(file);
  const identity = `${file} ${statSync(new URL(url.pathname, 'file://')).ino}`;
  if (identity === connected) return;
  database?.close();
  database = new DatabaseSync(url);
  database.exec(pragmas);
  addFunctions(database);
  connected = identity;
}

function end() {
  for (const rows of open.values()) rows.return?.();
  open.clear();
  if (database?.isTransaction) database.exec('commit');
}

/**
 * @param {number} id
 * @returns {ReaderAnswer}
 */
function batch(id) {
  const iterator = open.get(id);
  /** @type {unknown[]} */
  const rows = [];
  const began = performance.now();
  while (iterator !== undefined && rows.length < rowsInABatch) {
    const step = iterator.next();
    if (step.done) {
      open.delete(id);
      return { rows, isLast: true };
    }
    rows.push(step.value);
    if (rows.length % 64 === 0 && performance.now() - began > turnLength) break;
  }
  return { rows, isLast: iterator === undefined };
}
