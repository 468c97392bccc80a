// Plain JavaScript: a process that has to strip types first holds 18 MB for it.
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
      end();
      database = new DatabaseSync(new URL(request.file));
      database.exec(request.pragmas);
      addFunctions(database);
      database.exec('begin; select 1 from sqlite_schema limit 1');
      return {};
    case 'query': {
      if (database === undefined) throw new Error('a query came before its snapshot');
      const { text, parameters, wide } = request;
      const statement = database.prepare(text, { returnArrays: true, readBigInts: wide });
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

function end() {
  for (const rows of open.values()) rows.return?.();
  open.clear();
  database?.close();
  database = undefined;
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
