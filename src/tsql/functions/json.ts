import { SqlError, sqlError } from '../../base/messages/sql-error.ts';
import type { Steps } from '../../base/threads/steps.ts';
import { familyOf, nameInMessage } from '../../tds/convert/families.ts';
import { charactersOf } from '../../tds/convert/to-text.ts';
import { collated } from '../../tds/types/collated.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { changedJson } from '../../values/json-change.ts';
import { type JsonPath, readJsonPath } from '../../values/json-path.ts';
import { jsonQuotedSteps } from '../../values/json-quoted.ts';
import { follow } from '../../values/json-search.ts';
import { isContainer, JsonText, wholeDocument } from '../../values/json-text.ts';
import { shownValue } from '../../values/shown-value.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context, FunctionSpec } from '../evaluate/context.ts';
import { madeInSteps } from '../evaluate/long-work.ts';

/** The types of text that the JSON functions read. */
const readable: ReadonlySet<string> = new Set(['char', 'varchar', 'nchar', 'nvarchar']);
/** The families that a value in JSON may be of, besides text. */
const writable: ReadonlySet<string> = new Set(['integer', 'decimal', 'float', 'bit']);

/** The most characters of a value that JSON_VALUE gives. */
const longestValue = 4000;

/** An argument that must be text: 8116. */
function textArgument(arg: Compiled | undefined, place: number, name: string): Compiled {
  if (arg === undefined) throw sqlError(174, name, place);
  if (!arg.bare && !readable.has(arg.type.name)) throw sqlError(8116, nameInMessage(arg.type.name), place, name);
  return arg;
}

/** The path in an argument, read once as long as it stays the same; 8116 for NULL. */
function pathReader(name: string, mayAppend = false): (value: unknown) => JsonPath {
  let last: { readonly text: string; readonly path: JsonPath } | undefined;
  return (value) => {
    if (typeof value !== 'string') throw sqlError(8116, 'NULL', 2, name.toUpperCase());
    if (last?.text !== value) last = { text: value, path: readJsonPath(value, mayAppend) };
    return last.path;
  };
}

const unicodeLike = ({ type }: Compiled, length: number | 'max'): AnyType =>
  type.collation === undefined ? t.nvarchar(length) : collated(t.nvarchar(length), type.collation);

type Lookup = (reader: JsonText, path: JsonPath) => Steps<string | null>;

/** A function of a document and a path that takes something out of it. */
const lookup = (
  name: string,
  min: 1 | 2,
  result: (document: Compiled) => { readonly type: AnyType; readonly isJson?: boolean },
  look: Lookup,
): FunctionSpec => ({
  min,
  max: 2,
  compile([document, path], context) {
    const text = textArgument(document, 1, name);
    const pathOf = pathReader(name);
    const paths = path === undefined ? [] : [textArgument(path, 2, name)];
    const evaluate = madeInSteps([text, ...paths], context, function* ([value, given]) {
      const wanted = pathOf(path === undefined ? '$' : given);
      if (typeof value !== 'string') return null;
      const reader = new JsonText(value);
      reader.root();
      const place = yield* follow(reader, wanted);
      if (place.found) return yield* look(reader, wanted);
      if (wanted.isStrict) throw sqlError(13608);
      return null;
    });
    return { nullable: true, evaluate, ...result(text) };
  },
});

function* scalarAt(reader: JsonText, { isStrict }: JsonPath): Steps<string | null> {
  const first = reader.text[reader.at];
  if (first === '{' || first === '[') {
    if (isStrict) throw sqlError(13623);
    return null;
  }
  const said = reader.said(yield* reader.value());
  if (said === null || said.length <= longestValue) return said;
  if (isStrict) throw sqlError(13625);
  return null;
}

function* containerAt(reader: JsonText, { isStrict, steps }: JsonPath): Steps<string | null> {
  const span = yield* reader.value(steps.length);
  if (isContainer(span)) return reader.said(span);
  if (isStrict && span.kind !== 'null') throw sqlError(13624);
  return null;
}

/** A value as JSON_MODIFY writes it: 8116 for a type that it does not take. */
function writerOf(arg: Compiled): (value: unknown) => Steps<string | undefined> {
  const { type, bare, isJson = false } = arg;
  const family = familyOf(type.name);
  if (!bare && !readable.has(type.name) && !writable.has(family))
    throw sqlError(8116, nameInMessage(type.name), 3, 'json_modify');
  return function* (value) {
    if (value === null) return undefined;
    if (isJson) return String(value);
    if (family === 'bit') return String(value);
    if (family === 'text') return yield* jsonQuotedSteps(String(value));
    return shownValue(value, type.name === 'real' ? t.float : type);
  };
}

const modify: FunctionSpec = {
  min: 3,
  max: 3,
  compile([document, path, value], context) {
    const text = textArgument(document, 1, 'json_modify');
    const wanted = textArgument(path, 2, 'json_modify');
    if (value === undefined) throw sqlError(174, 'json_modify', 3);
    const given = value.bare ? coerce(value, t.int, context) : value;
    const written = writerOf(value);
    const pathOf = pathReader('json_modify', true);
    const evaluate = madeInSteps([text, wanted, given], context, function* ([whole, where, what]) {
      const to = pathOf(where);
      return typeof whole === 'string' ? yield* changedJson(whole, to, yield* written(what)) : null;
    });
    return { type: unicodeLike(text, 'max'), nullable: true, evaluate, isJson: true };
  },
};

/** 1 for an object or array, 0 for anything else that is text. */
function isJson([document]: readonly Compiled[], context: Context): Compiled {
  const text = textArgument(document, 1, 'isjson');
  const evaluate = madeInSteps([text], context, function* ([value]) {
    if (typeof value !== 'string') return null;
    return yield* asFlag(function* () {
      yield* wholeDocument(value);
      return true;
    });
  });
  return { type: t.int, nullable: true, evaluate };
}

/** 1 where a path leads to something in a document, 0 where it does not, or where the text is no document. */
const pathExists: FunctionSpec = {
  min: 2,
  max: 2,
  compile([document, path], context) {
    const text = textArgument(document, 1, 'json_path_exists');
    const pathOf = pathReader('json_path_exists');
    const evaluate = madeInSteps(
      [text, textArgument(path, 2, 'json_path_exists')],
      context,
      function* ([value, given]) {
        const wanted = pathOf(given);
        if (typeof value !== 'string') return null;
        return yield* asFlag(function* () {
          yield* wholeDocument(value);
          const reader = new JsonText(value);
          reader.root();
          return (yield* follow(reader, wanted)).found;
        });
      },
    );
    return { type: t.int, nullable: true, evaluate };
  },
};

/** 1 or 0 for what steps find out; 0 where they meet what is no JSON. */
function* asFlag(steps: () => Steps<boolean>): Steps<number> {
  try {
    return Number(yield* steps());
  } catch (error) {
    if (error instanceof SqlError) return 0;
    throw error;
  }
}

/** The functions that read and change JSON. */
export const jsonFunctions: Readonly<Record<string, FunctionSpec>> = {
  JSON_VALUE: lookup('json_value', 2, (document) => ({ type: unicodeLike(document, longestValue) }), scalarAt),
  JSON_QUERY: lookup(
    'json_query',
    1,
    (document) => ({
      type: unicodeLike(document, charactersOf(document.type) > longestValue ? 'max' : longestValue),
      isJson: true,
    }),
    containerAt,
  ),
  JSON_MODIFY: modify,
  JSON_PATH_EXISTS: pathExists,
  ISJSON: { min: 1, max: 1, compile: isJson },
};
