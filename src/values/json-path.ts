import { sqlError } from '../base/messages/sql-error.ts';

/** One step of a path: the name of a member, or the place of an element. */
export type JsonStep = string | number;

/** A path of the JSON functions: `append lax $.a."b c"[0]`. */
export interface JsonPath {
  /** JSON_MODIFY: adds an element to the array that the path names. */
  readonly appends: boolean;
  /** What the path does not find is an error and not NULL. */
  readonly isStrict: boolean;
  readonly steps: readonly JsonStep[];
}

/** SQL Server reads no path of more characters. */
const longestPath = 4000;
/** As deep as a document may be nested. */
export const deepest = 128;

const blanks = '[ \\t\\n\\f\\r]*';
const word = new RegExp(`${blanks}(append|lax|strict)(?![A-Za-z0-9_])`, 'y');
const root = new RegExp(`${blanks}\\$`, 'y');
const step = new RegExp(
  `${blanks}(?:\\.${blanks}(?:([A-Za-z_][A-Za-z0-9_]*)|"((?:[^"\\\\]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*)")` +
    `|\\[${blanks}(\\d{1,10})${blanks}\\])`,
  'y',
);
/** The valid beginning of a step: the error is after it. */
const begun = new RegExp(`${blanks}(?:\\.${blanks}(?:"(?:[^"\\\\]|\\\\.)*)?|\\[${blanks}\\d*${blanks})?`, 'y');
const end = new RegExp(`${blanks}$`, 'y');
const escapes = /\\(?:u[0-9a-fA-F]{4}|.)/g;

/** Reads a path; 13607 with the first character that does not belong there. `append` is for JSON_MODIFY alone. */
export function readJsonPath(whole: string, mayAppend = false): JsonPath {
  const text = whole.slice(0, longestPath);
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const wrong = () => {
    read(begun);
    return sqlError(13607, text[at] ?? '.', at);
  };
  let mode = read(word)?.[1];
  const appends = mode === 'append';
  if (appends && !mayAppend) throw sqlError(13607, 'a', text.indexOf('a'));
  if (appends) mode = read(word)?.[1];
  if (read(root) === null) throw wrong();
  const steps: JsonStep[] = [];
  while (read(end) === null) {
    const found = read(step);
    if (found === null) throw wrong();
    const [, name, quoted, place] = found;
    if (steps.length === deepest) throw sqlError(13606, deepest);
    if (place !== undefined) steps.push(Number(place));
    else steps.push(name ?? unescaped(quoted ?? ''));
  }
  return { appends, isStrict: mode === 'strict', steps };
}

const unescaped = (name: string): string => name.replace(escapes, (each) => String(JSON.parse(`"${each}"`)));
