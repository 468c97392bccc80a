import type { Steps } from '../base/threads/steps.ts';
import type { JsonPath, JsonStep } from './json-path.ts';
import type { JsonText } from './json-text.ts';

/** Where a path leads in a document. */
export type JsonPlace =
  /** The reader is at the value. */
  | { readonly found: true; readonly member?: JsonMember }
  /**
   * There is none. `room` is the object that lacks its last step; undefined if the path reaches something without such
   * steps: the reader then searches no further.
   */
  | { readonly found: false; readonly isSettled: boolean; readonly room?: JsonRoom };

/** A member of an object. */
interface JsonMember {
  readonly start: number;
  /** The comma before it; undefined for the first. */
  readonly comma: number | undefined;
}

/** An object that a member can be added to. */
interface JsonRoom {
  readonly name: string;
  /** Its closing brace. */
  readonly end: number;
  readonly isEmpty: boolean;
}

/**
 * Follows a path from the value at the reader: the whole document, or a part of it. Of duplicate names, the first
 * counts.
 */
export function* follow(
  reader: JsonText,
  { steps }: Pick<JsonPath, 'steps'>,
  of: 'all' | 'part' = 'all',
): Steps<JsonPlace> {
  let place: JsonPlace = { found: true };
  for (const [depth, step] of steps.entries()) {
    const opening = typeof step === 'string' ? '{' : '[';
    if (reader.text[reader.at] !== opening) return { found: false, isSettled: true };
    place = yield* typeof step === 'string' ? toMember(reader, step, depth) : toElement(reader, step, depth);
    if (place.found) continue;
    if (depth > 0 || of === 'all') afterMissing(reader, steps[depth - 1]);
    return depth === steps.length - 1 ? place : { found: false, isSettled: false };
  }
  return place;
}

function* toMember(reader: JsonText, name: string, depth: number): Steps<JsonPlace> {
  const isEmpty = !reader.enter();
  let comma: number | undefined;
  for (let more = !isEmpty; more; more = reader.more('}')) {
    const start = reader.at;
    if ((yield* reader.name()) === name) return { found: true, member: { start, comma } };
    yield* reader.value(depth + 1);
    reader.next();
    comma = reader.at;
  }
  return { found: false, isSettled: false, room: { name, end: reader.at - 1, isEmpty } };
}

function* toElement(reader: JsonText, place: number, depth: number): Steps<JsonPlace> {
  let at = 0;
  for (let more = reader.enter(); more; more = reader.more(']')) {
    if (at++ === place) return { found: true };
    yield* reader.value(depth + 1);
  }
  return { found: false, isSettled: false };
}

/** After an object or array without the step: what encloses it must continue, or end. */
function afterMissing(reader: JsonText, around: JsonStep | undefined): void {
  if (around === undefined) {
    reader.end();
    return;
  }
  const mark = reader.next();
  if (mark !== ',' && mark !== (typeof around === 'string' ? '}' : ']')) throw reader.malformed();
}
