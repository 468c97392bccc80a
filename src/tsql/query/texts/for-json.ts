import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Steps } from '../../../base/threads/steps.ts';
import type { ForJson } from '../../../syntax/ast/query.ts';
import { familyOf } from '../../../tds/convert/families.ts';
import { jsonQuoted, jsonQuotedSteps } from '../../../values/json-quoted.ts';
import { isLong } from '../../../values/long-value.ts';
import { shownValue, unwrapped } from '../../../values/shown-value.ts';
import type { PlanColumn } from '../plan.ts';
import type { RowWriter } from './for-xml.ts';
import { firstNewLevel, levelsOf } from './nesting.ts';
import { TextPieces } from './text-pieces.ts';

/** JSON text; a long one is written when needed, so that others get their turn in between. */
type Written = string | Steps<string>;
/** What has been written as text, or is still open. */
type Member = Written | JsonObject | JsonObject[];

/** An object under construction. */
class JsonObject {
  readonly members = new Map<string, Member>();
  /** The member that was added last: it is not to be looked for among thousands. */
  last = '';

  add(name: string, member: Member): void {
    this.members.set(name, member);
    this.last = name;
  }
}

/** FOR JSON: PATH uses the names of columns, AUTO nests an array for each table. */
export function jsonWriter(wish: ForJson, columns: readonly PlanColumn[]): RowWriter {
  if (columns.some(({ name }) => name === '')) throw sqlError(13605);
  const rows: JsonObject[] = [];
  const take = wish.mode === 'path' ? pathTaker(wish, columns, rows) : autoTaker(wish, columns, rows);
  return {
    take,
    *result() {
      if (rows.length === 0) return undefined;
      const out = new TextPieces();
      yield* writeList(rows, out);
      const list = out.end();
      if (!wish.wrapped) return list;
      return wish.root === undefined ? `[${list}]` : `{${jsonQuoted(wish.root)}:[${list}]}`;
    },
  };
}

function pathTaker({ showsNull }: ForJson, columns: readonly PlanColumn[], rows: JsonObject[]): RowWriter['take'] {
  const paths = columns.map(({ name }) => name.split('.'));
  return (row) => {
    const object = new JsonObject();
    columns.forEach((column, at) => {
      const value = jsonOf(row[at], column);
      if (value !== undefined || showsNull) put(object, paths[at] ?? [], value ?? 'null', column.name);
    });
    rows.push(object);
  };
}

/** Columns of the same object must be adjacent, and no two may have the same name. */
function put(object: JsonObject, path: readonly string[], value: Written, name: string): void {
  const [first = '', ...rest] = path;
  const there = object.members.get(first);
  if (there === undefined && rest.length === 0) object.add(first, value);
  else if (there === undefined) {
    const inner = new JsonObject();
    object.add(first, inner);
    put(inner, rest, value, name);
  } else if (rest.length > 0 && object.last === first && there instanceof JsonObject) put(there, rest, value, name);
  else throw sqlError(13601, name);
}

function autoTaker({ showsNull }: ForJson, columns: readonly PlanColumn[], rows: JsonObject[]): RowWriter['take'] {
  const levels = levelsOf(columns);
  if (levels.length === 0) throw sqlError(13600);
  const firstNew = firstNewLevel(levels, columns);
  const open: JsonObject[] = [];
  return (row) => {
    for (let at = firstNew(row); at < levels.length; at++) {
      const level = levels[at];
      if (level === undefined) break;
      const object = new JsonObject();
      for (const place of level.columns) {
        const column = columns[place];
        const value = column === undefined ? undefined : jsonOf(row[place], column);
        if (column !== undefined && (value !== undefined || showsNull))
          put(object, [column.name], value ?? 'null', column.name);
      }
      listOf(open[at - 1], level.label, rows).push(object);
      open[at] = object;
    }
  };
}

/** The array of a table's objects inside the parent object. */
function listOf(around: JsonObject | undefined, label: string, rows: JsonObject[]): JsonObject[] {
  if (around === undefined) return rows;
  const there = around.members.get(label);
  if (Array.isArray(there)) return there;
  if (there !== undefined) throw sqlError(13601, label);
  const list: JsonObject[] = [];
  around.add(label, list);
  return list;
}

const bare: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'float']);

/** A value in JSON; undefined for NULL. */
function jsonOf(given: unknown, column: PlanColumn): Written | undefined {
  const { type, value } = unwrapped(given ?? null, column.type);
  if (value === null) return undefined;
  if (column.isJson) return String(value);
  if (type.name === 'bit') return String(value);
  const text = shownValue(value, type);
  if (bare.has(familyOf(type.name))) return text;
  return isLong(text) ? jsonQuotedSteps(text) : jsonQuoted(text);
}

/** Writes objects separated by commas, in steps: thousands of them take long. */
function* writeList(objects: readonly JsonObject[], out: TextPieces): Steps<void> {
  let isFirst = true;
  for (const object of objects) {
    if (!isFirst) out.push(',');
    isFirst = false;
    yield* writeObject(object, out);
    if (out.settle()) yield;
  }
}

const isSteps = (value: Steps<string> | JsonObject | JsonObject[]): value is Steps<string> => 'next' in value;

function* writeObject(object: JsonObject, out: TextPieces): Steps<void> {
  let mark = '{';
  for (const [name, value] of object.members) {
    out.push(`${mark}${jsonQuoted(name)}:`);
    mark = ',';
    if (typeof value === 'string') out.push(value);
    else if (isSteps(value)) out.push(yield* value);
    else if (Array.isArray(value)) {
      out.push('[');
      yield* writeList(value, out);
      out.push(']');
    } else yield* writeObject(value, out);
  }
  out.push(object.members.size === 0 ? '{}' : '}');
}
