import { sqlError } from '../../base/messages/sql-error.ts';
import type { ForJson, ForXml, Query } from '../ast/query.ts';
import type { TokenStream } from './token-stream.ts';

/**
 * FOR BROWSE requests the origin of columns and the keys of their tables; FOR XML and FOR JSON request one text; FOR
 * UPDATE and FOR READ ONLY give the purpose of a cursor.
 */
export function forClause(cursor: TokenStream): Pick<Query, 'isBrowsed' | 'as' | 'purpose'> {
  if (cursor.accept('FOR', 'BROWSE')) return { isBrowsed: true };
  if (cursor.accept('FOR', 'XML')) return { as: forXml(cursor) };
  if (cursor.accept('FOR', 'JSON')) return { as: forJson(cursor) };
  return cursor.is('FOR', 'UPDATE') || cursor.is('FOR', 'READ', 'ONLY') ? forCursor(cursor) : {};
}

/** FOR READ ONLY, or FOR UPDATE [OF columns]: 1003 for a query that is no cursor's. */
function forCursor(cursor: TokenStream): Pick<Query, 'purpose'> {
  const { line } = cursor;
  const isReadOnly = cursor.accept('FOR', 'READ', 'ONLY');
  if (!cursor.isForCursor)
    throw sqlError(1003, line, isReadOnly ? 'FOR READ ONLY' : 'FOR UPDATE', 'DECLARE CURSOR').at({ line });
  if (isReadOnly) return { purpose: 'read only' };
  cursor.expect('FOR', 'UPDATE');
  const update = cursor.accept('OF') ? cursor.list(() => cursor.parts().at(-1) ?? '') : [];
  return { purpose: { update } };
}

/** RAW('name'), AUTO or PATH('name'), and the options after it, separated by commas. */
function forXml(cursor: TokenStream): ForXml {
  const mode = modeOf(cursor, ['raw', 'auto', 'path']);
  const row = mode === 'auto' ? '' : (nameInParentheses(cursor) ?? 'row');
  let elements = mode === 'path';
  let showsNull = false;
  let typed = false;
  let root: string | undefined;
  while (cursor.accept(',')) {
    if (cursor.accept('ELEMENTS')) {
      elements = true;
      showsNull = cursor.accept('XSINIL');
      if (!showsNull) cursor.accept('ABSENT');
    } else if (cursor.accept('ROOT')) root = nameInParentheses(cursor) ?? 'root';
    else if (cursor.accept('TYPE')) typed = true;
    // Bytes are always written so.
    else cursor.expect('BINARY', 'BASE64');
  }
  return { kind: 'forXml', mode, row, elements, showsNull, typed, ...(root === undefined ? {} : { root }) };
}

function forJson(cursor: TokenStream): ForJson {
  const { line } = cursor;
  const mode = modeOf(cursor, ['auto', 'path']);
  let showsNull = false;
  let wrapped = true;
  let root: string | undefined;
  while (cursor.accept(',')) {
    if (cursor.accept('ROOT')) root = nameInParentheses(cursor) ?? 'root';
    else if (cursor.accept('INCLUDE_NULL_VALUES')) showsNull = true;
    else {
      cursor.expect('WITHOUT_ARRAY_WRAPPER');
      wrapped = false;
    }
  }
  if (root !== undefined && !wrapped) throw sqlError(13620).at({ line });
  return { kind: 'forJson', mode, showsNull, wrapped, ...(root === undefined ? {} : { root }) };
}

function modeOf<M extends string>(cursor: TokenStream, modes: readonly M[]): M {
  for (const mode of modes) if (cursor.accept(mode.toUpperCase())) return mode;
  throw cursor.unexpected();
}

function nameInParentheses(cursor: TokenStream): string | undefined {
  if (!cursor.accept('(')) return undefined;
  const { kind } = cursor.peek();
  if (kind !== 'string' && kind !== 'nstring') throw cursor.unexpected();
  const { text } = cursor.next();
  cursor.expect(')');
  return text;
}
