import { ruleBroken } from '../base/messages/sql-error.ts';

/** Characters that a list may have, and values outside of texts in it: what is read at once keeps others waiting. */
const longest = 32 * 1024 * 1024;
const mostParts = 200_000;

/** The elements of a parameter that is a JSON array; SqlError 50000 if it is not one, or too long. */
export function jsonArray(parameter: string, json: string, elements: string): readonly unknown[] {
  if (json.length > longest || !hasFewParts(json))
    throw ruleBroken(`@${parameter} has more ${elements} than are taken at once.`);
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch (error) {
    throw ruleBroken(`@${parameter} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(list)) throw ruleBroken(`@${parameter} is a JSON array of ${elements}.`);
  return list;
}

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Whether lists, objects and commas outside of texts are no more than may be. */
function hasFewParts(json: string): boolean {
  if (json.length <= mostParts) return true;
  let parts = 0;
  for (let at = 0; at < json.length && parts <= mostParts; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfText(json, at);
    else if (unit === comma || unit === bracket || unit === brace) parts++;
  }
  return parts <= mostParts;
}

/** The position of the quote that closes a text; the end of the input if there is none. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at;
    while (json.charCodeAt(before - 1) === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return json.length;
}
