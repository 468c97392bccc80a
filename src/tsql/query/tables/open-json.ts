import type { MemoryBudget } from '../../../base/memory/memory-budget.ts';
import { sqlError } from '../../../base/messages/sql-error.ts';
import { inTurns, type Steps } from '../../../base/threads/steps.ts';
import type { JsonColumn } from '../../../syntax/ast/query.ts';
import { convert } from '../../../tds/convert/convert.ts';
import { familyOf, nameInMessage } from '../../../tds/convert/families.ts';
import { charactersOf } from '../../../tds/convert/to-text.ts';
import { collated } from '../../../tds/types/collated.ts';
import { collationNamed } from '../../../tds/types/collation-name.ts';
import { nvarchar, tinyint, varbinary } from '../../../tds/types/index.ts';
import type { AnyType } from '../../../tds/types/sql-type.ts';
import { type JsonPath, readJsonPath } from '../../../values/json-path.ts';
import { follow } from '../../../values/json-search.ts';
import { codeOf, isContainer, JsonText } from '../../../values/json-text.ts';
import type { Compiled } from '../../evaluate/compiled.ts';
import { type Batches, batchSize } from '../batches.ts';
import type { PlanColumn } from '../plan.ts';
import { hold, type Run, sizeOf } from '../run.ts';
import type { TableFunction } from './table-function.ts';

const longestKey = 4000;
const binary = collationNamed('Latin1_General_BIN2');
const keyType = binary === undefined ? nvarchar(longestKey) : collated(nvarchar(longestKey), binary);

/** The columns of OPENJSON without WITH. */
const ownColumns: readonly PlanColumn[] = [
  { name: 'key', type: keyType, nullable: false },
  { name: 'value', type: nvarchar('max'), nullable: true },
  { name: 'type', type: tinyint, nullable: false },
];

/** Types that no column of WITH can have. */
const impossible: ReadonlySet<string> = new Set(['text', 'ntext', 'image', 'sql_variant', 'timestamp', 'xml']);

type Row = readonly unknown[];
/** Makes a row of a member or an element, at which the reader stands, and goes behind it. */
type ToRow = (reader: JsonText, key: string) => Steps<Row>;

function columnsOf([document]: readonly Compiled[], schema: readonly JsonColumn[] | undefined): readonly PlanColumn[] {
  schema?.forEach(wantedOf);
  if (document !== undefined && !document.bare && ['text', 'ntext', 'image'].includes(document.type.name))
    throw sqlError(8116, nameInMessage(document.type.name), 1, 'OpenJson');
  return schema?.map(({ name, type }) => ({ name, type, nullable: true })) ?? ownColumns;
}

/** The rows of OPENJSON with the columns of its own. */
function* plainRow(reader: JsonText, key: string): Steps<Row> {
  const span = yield* reader.value(1);
  return [key.slice(0, longestKey), reader.said(span), codeOf(span.kind)];
}

/** A column of WITH and where its value is found. */
interface Wanted {
  readonly column: JsonColumn;
  readonly path: JsonPath;
}

const wantedOf = (column: JsonColumn): Wanted => {
  if (impossible.has(column.type.name)) throw sqlError(13614);
  const own: JsonPath = { appends: false, isStrict: false, steps: [column.name] };
  return { column, path: column.path === undefined ? own : readJsonPath(column.path) };
};

const rowOf = (wanted: readonly Wanted[], held: MemoryBudget): ToRow =>
  function* (reader) {
    const { at } = reader;
    const row: unknown[] = [];
    for (const each of wanted) {
      const value = yield* columnValue(new JsonText(reader.text, at), each);
      // Many columns may be the same long part of the document.
      held.grow(sizeOf(value));
      row.push(value);
    }
    yield* reader.value(1);
    return row;
  };

function* columnValue(reader: JsonText, { column, path }: Wanted): Steps<unknown> {
  const place = yield* follow(reader, path, 'part');
  if (!place.found) {
    if (path.isStrict) throw sqlError(13608);
    return null;
  }
  const span = yield* reader.value(path.steps.length);
  if (span.kind === 'null') return null;
  if (isContainer(span) !== column.isJson) {
    if (path.isStrict) throw sqlError(13624);
    return null;
  }
  return inColumn(reader.said(span), column.type);
}

/** A text as a column has it: cut to its length, bytes out of base64, anything else converted. */
function inColumn(text: string | null, type: AnyType): unknown {
  if (text === null) return null;
  const family = familyOf(type.name);
  if (family === 'text') return convert(text.slice(0, charactersOf(type)), nvarchar('max'), type, { implicit: false });
  if (family !== 'bytes') return convert(text, nvarchar('max'), type, { implicit: false });
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw sqlError(13612);
  if (type.maxLength >= 0 && bytes.length > type.maxLength) throw sqlError(13613);
  return convert(new Uint8Array(bytes), varbinary('max'), type, { implicit: false });
}

/** Each row of the object or array at which the reader stands; with WITH, an object is one row. */
function* rowsAt(reader: JsonText, toRow: ToRow, isOneRow: boolean, take: (row: Row) => void): Steps<void> {
  const isObject = reader.text[reader.at] === '{';
  if (isObject && isOneRow) {
    take(yield* toRow(reader, ''));
    return;
  }
  let place = 0;
  for (let more = reader.enter(); more; more = reader.more(isObject ? '}' : ']')) {
    take(yield* toRow(reader, isObject ? yield* reader.name() : String(place++)));
    yield;
  }
}

/** Goes to what is opened; undefined where the path leads to none. */
function* opened(reader: JsonText, path: JsonPath): Steps<boolean> {
  reader.root();
  const place = yield* follow(reader, path);
  if (!place.found && path.isStrict) throw sqlError(13608);
  if (!place.found) return false;
  const first = reader.text[reader.at];
  if (first === '{' || first === '[') return true;
  if (path.isStrict) throw sqlError(13611);
  yield* reader.value();
  return false;
}

async function* batches(
  document: string,
  path: JsonPath,
  schema: readonly JsonColumn[] | undefined,
  run: Run,
): Batches<Row> {
  const { turn } = run;
  const reader = new JsonText(document);
  if (!(await inTurns(opened(reader, path), turn))) return;
  using held = hold(run);
  let batch: Row[] = [];
  const toRow = schema === undefined ? plainRow : rowOf(schema.map(wantedOf), held);
  const work = rowsAt(reader, toRow, schema !== undefined, (row) => batch.push(row));
  for (let isDone = false; !isDone; ) {
    isDone = work.next().done ?? false;
    if (turn.isOver) await turn.giveWay();
    if (batch.length < batchSize && !isDone) continue;
    yield batch;
    batch = [];
    held.shrink(held.used);
  }
}

const whole = readJsonPath('$');

/** OPENJSON: the members of an object or the elements of an array as rows. */
export const openJson: TableFunction = {
  arity: 1,
  optional: 1,
  columns: (args, { schema }) => columnsOf(args, schema),
  asks: true,
  rows([document, path], { run }, { args, schema }) {
    if (args.length > 1 && typeof path !== 'string') throw sqlError(8116, 'NULL', 2, 'OpenJson');
    if (document === null) return [];
    return batches(String(document), typeof path === 'string' ? readJsonPath(path) : whole, schema, run);
  },
};
