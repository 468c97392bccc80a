import type { BegunCall, CallEnding, SentSet } from '../../procedure/call-tap.ts';
import type { AnyProcedure, Params } from '../../procedure/declare.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { isPassedTable } from '../../tds/types/table-value.ts';
import type { WireCall } from '../api/wire.ts';
import { valueText } from '../value-text.ts';

/** Characters of a value that are shown. */
const longestShown = 400;
/** Characters of it that are searched for a password, which would follow the word. */
const lookedThrough = 16_384;

/** Names of parameters whose values are secrets. */
const secret = /token|password|secret|credential|claims|identity/i;

/** True for what may be a document or a token: large types, bytes, and what is called so. */
const isDelicate = (name: string, { maxLength, name: type }: AnyType): boolean =>
  maxLength === -1 ||
  maxLength > 8000 ||
  ['text', 'ntext', 'image', 'xml', 'binary', 'varbinary'].includes(type) ||
  secret.test(name);

/** The size of a hidden value or a table, which is all that is shown of it. */
function sizeOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return `${value.length} characters`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return isPassedTable(value) ? `${value.count} rows` : 'a value';
}

/** The type that a procedure declares for a parameter; the type of a literal of EXEC has the literal's own length. */
function declaredType(procedure: AnyProcedure | undefined, name: string): AnyType | undefined {
  const params: Params = procedure?.params ?? {};
  const own = Object.keys(params).find((each) => `@${each}`.toLowerCase() === name.toLowerCase());
  return own === undefined ? undefined : params[own]?.type;
}

function parameter(
  name: string,
  { type, declared = type }: { readonly type: AnyType; readonly declared?: AnyType | undefined },
  value: unknown,
  isOutput: boolean,
  reveals: boolean,
) {
  // A text that sets a password is never shown.
  const isHidden =
    value !== null &&
    ((!reveals && (isDelicate(name, type) || isDelicate(name, declared))) ||
      (typeof value === 'string' && /password/i.test(`${name} ${value.slice(0, lookedThrough)}`)));
  const shown = isHidden || isPassedTable(value) ? sizeOf(value) : valueText(value, type, longestShown);
  return { name, type: type.declaration, value: shown, isHidden, isOutput };
}

/** The declared name of an argument, which may have come by position. */
function named(
  { procedure }: BegunCall,
  { name, type, value, output, byDefault }: Argument,
  place: number,
  reveals: boolean,
) {
  const declared = procedure && Object.keys(procedure.params)[place];
  const known = name !== '' ? name : declared === undefined ? `#${place + 1}` : `@${declared}`;
  if (byDefault) return { name: known, type: type.declaration, value: 'default', isHidden: false, isOutput: output };
  return parameter(known, { type, declared: declaredType(procedure, known) }, value, output, reveals);
}

const specification = /^(MS-[A-Z0-9]+)/;

/** Where a specification of the protocols can be read. */
function linkOf(section: string): string | null {
  const [, name] = specification.exec(section) ?? [];
  return name === undefined
    ? null
    : `https://learn.microsoft.com/openspecs/sharepoint_protocols/${name.toLowerCase()}/`;
}

/** A call for display; without `reveals`, documents and tokens are only shown by their size. */
export function shownCall(
  call: BegunCall,
  sets: readonly SentSet[],
  { status, outputs = [], error, milliseconds }: CallEnding,
  { id, at, reveals }: { readonly id: string; readonly at: Date; readonly reveals: boolean },
): WireCall {
  const { session, login, host, program, database, name, procedure, args } = call;
  return {
    id,
    at: at.toISOString(),
    ...{ session, login, host, program, database, name },
    section: procedure?.section ?? null,
    link: procedure === undefined ? null : linkOf(procedure.section),
    parameters: args.map((argument, i) => named(call, argument, i, reveals)),
    sets: sets.map(({ columns, rows }) => ({
      columns: columns.map((column) => ({ name: column.name, type: column.type.declaration })),
      rows,
    })),
    outputs: outputs.map(({ name: of, type, value }) =>
      parameter(of, { type, declared: declaredType(procedure, of) }, value, true, reveals),
    ),
    returned: status ?? null,
    error: error === undefined ? null : { number: error.number, message: error.message },
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  };
}
