// Plain JavaScript: stripping types would cost this process 18 MB.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** @typedef {import('./far-process.ts').FarRequest} FarRequest */
/** @typedef {import('./far-process.ts').FarAnswer} FarAnswer */

/** Milliseconds after which a batch is sent even if it is not full. */
const turnLength = 10;
const rowsInABatch = 512;

/** @type {DatabaseSync | undefined} */
let database;
/** @type {Map<number, Iterator<unknown>>} */
const open = new Map();
/** The index of the row that is being inserted, if there are many. */
let row = -1;

process.on('message', (request) => {
  try {
    row = -1;
    tell({ answer: answer(/** @type {FarRequest} */ (request)) });
  } catch (error) {
    // Only the message of an Error object would survive the transfer.
    const { message, errcode } = /** @type {Error & { errcode?: number }} */ (error);
    tell({ failure: { message, errcode, row } });
  }
});
// Without its server it is of no use.
process.on('disconnect', () => process.exit());

/** @param {object} told */
function tell(told) {
  process.send?.({ isOpen: database?.isTransaction === true, ...told });
}

/**
 * @param {FarRequest} request
 * @returns {FarAnswer}
 */
function answer(request) {
  switch (request.kind) {
    case 'begin':
      connect(request.file, request.pragmas).exec(request.begin);
      return {};
    case 'query': {
      const { text, parameters, wide, gathered } = request;
      const statement = connected().prepare(text);
      statement.setReturnArrays(true);
      statement.setReadBigInts(wide);
      const columns = statement.columns().map(({ name }) => name);
      open.set(request.id, gathered ? statement.all(...parameters).values() : statement.iterate(...parameters));
      return { columns, ...batch(request.id) };
    }
    case 'more':
      return batch(request.id);
    case 'stop':
      open.get(request.id)?.return?.();
      open.delete(request.id);
      return {};
    case 'run': {
      let changes = 0;
      for (const { text, parameters } of request.statements) changes = run(text, parameters);
      return { changes };
    }
    case 'each':
      for (const values of request.rows) {
        row++;
        run(request.text, values);
      }
      return {};
    case 'exec':
      connected().exec(request.text);
      return {};
    case 'end':
      end();
      return {};
  }
}

/** The last statement: one that is run many times is usually run several times in a row. */
let last = { text: '', statement: /** @type {import('node:sqlite').StatementSync | undefined} */ (undefined) };

/**
 * @param {string} text
 * @param {readonly import('node:sqlite').SQLInputValue[]} parameters
 */
function run(text, parameters) {
  if (last.text !== text || last.statement === undefined) last = { text, statement: connected().prepare(text) };
  return Number(last.statement?.run(...parameters).changes);
}

/**
 * The functions that the connections of the server have too (connection.ts).
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

/** The identity of the open file and its pragmas: the name may belong to another file by now. */
let opened = '';

/**
 * Opens a file unless it is already open, with its pages in the cache.
 * @param {string} file
 * @param {string} pragmas
 */
function connect(file, pragmas) {
  end();
  const url = new URL(file);
  const identity = `${file} ${statSync(new URL(url.pathname, 'file://')).ino} ${pragmas}`;
  if (identity === opened && database !== undefined) return database;
  database?.close();
  last = { text: '', statement: undefined };
  database = new DatabaseSync(url);
  database.exec(pragmas);
  addFunctions(database);
  opened = identity;
  return database;
}

function connected() {
  if (database === undefined) throw new Error('a statement was sent before its transaction');
  return database;
}

/** Closes open rows and rolls back an open transaction; changes that are to be kept have been committed. */
function end() {
  for (const rows of open.values()) rows.return?.();
  open.clear();
  if (database?.isTransaction) database.exec('rollback');
}

/**
 * @param {number} id
 * @returns {FarAnswer}
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
