import { sqlError } from '../base/messages/sql-error.ts';
import type { Steps } from '../base/threads/steps.ts';
import type { JsonPath } from './json-path.ts';
import { follow, type JsonPlace } from './json-search.ts';
import { JsonText, wholeDocument } from './json-text.ts';

/**
 * JSON_MODIFY: the document with another value, written as JSON, at a path; no value removes a member. Everything else
 * is unchanged, as written. A path that leads nowhere leaves the document unchanged, or is an error if it is strict.
 */
export function* changedJson(text: string, path: JsonPath, value: string | undefined): Steps<string> {
  if (path.steps.length === 0 && !path.appends) throw sqlError(13619, 2, 'JSON_MODIFY');
  const reader = new JsonText(text);
  reader.root();
  const place = yield* follow(reader, path);
  const change = place.found ? yield* inPlace(reader, place, path, value) : addition(place, path, value);
  if (place.found || !place.isSettled) yield* wholeDocument(text);
  if (change === undefined) return text;
  return text.slice(0, change.start) + change.text + text.slice(change.end);
}

/** A part of the document that becomes another text. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function* inPlace(
  reader: JsonText,
  { member }: JsonPlace & { readonly found: true },
  { appends, isStrict, steps }: JsonPath,
  value: string | undefined,
): Steps<Change | undefined> {
  const { kind, start, end } = yield* reader.value(steps.length);
  if (appends) {
    if (kind !== 'array' && isStrict) throw sqlError(13621);
    if (kind !== 'array') return undefined;
    const isEmpty = !new JsonText(reader.text, start).enter();
    return { start: end - 1, end: end - 1, text: `${isEmpty ? '' : ','}${value ?? 'null'}` };
  }
  if (value !== undefined || isStrict || member === undefined) return { start, end, text: value ?? 'null' };
  if (member.comma !== undefined) return { start: member.comma, end, text: '' };
  const isOnly = reader.next() !== ',';
  return { start: member.start, end: isOnly ? end : reader.at + 1, text: '' };
}

function addition(
  { room }: JsonPlace & { readonly found: false },
  { appends, isStrict }: JsonPath,
  value: string | undefined,
): Change | undefined {
  if (isStrict) throw sqlError(13608);
  if (room === undefined || (value === undefined && !appends)) return undefined;
  const added = appends ? `[${value ?? 'null'}]` : value;
  const text = `${room.isEmpty ? '' : ','}${JSON.stringify(room.name)}:${added}`;
  return { start: room.end, end: room.end, text };
}
