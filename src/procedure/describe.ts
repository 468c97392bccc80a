import { fold } from '../base/text/collation.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import type { AnyProcedure, Outcome, Outcomes, Params } from './declare.ts';
import { isOutput } from './param.ts';
import { columnsOf } from './relations/columns-of.ts';
import type { Column } from './run/sink.ts';

/** A parameter as catalogs list it. */
export interface ParamDescription {
  /** Counted from 1. */
  readonly ordinal: number;
  /** With its @. */
  readonly name: string;
  readonly type: AnyType;
  readonly output: boolean;
  /** Whether NULL is let through. */
  readonly nullable: boolean;
  /** The default as T-SQL writes it; undefined if a caller must pass the parameter. */
  readonly byDefault: string | undefined;
}

/** The parameters of a procedure, in order. */
export function describeParams(procedure: AnyProcedure): readonly ParamDescription[] {
  const params: Params = procedure.params;
  return Object.entries(params).map(([name, param], at) => ({
    ordinal: at + 1,
    name: `@${name}`,
    type: param.type,
    output: isOutput(param),
    nullable: param.kind !== 'required',
    byDefault: 'default' in param ? literal(param.type, param.default) : undefined,
  }));
}

/**
 * The result sets that a call sends, if all outcomes with rows send the same ones; undefined if only the call decides.
 */
export function resultSets({ outcomes }: { readonly outcomes: Outcomes }): readonly (readonly Column[])[] | undefined {
  const shapes = Object.values(outcomes)
    .map(({ sets }) => Object.values(sets ?? {}).map((columns) => columnsOf(columns)))
    .filter((sets) => sets.length > 0);
  const looks = new Set(
    shapes.map((sets) =>
      sets.map((columns) => columns.map(({ name, type }) => `${name} ${type.declaration}`)).join(';'),
    ),
  );
  return looks.size > 1 ? undefined : (shapes[0] ?? []);
}

/** The section of every procedure of SQL Server itself, which distinguishes these from a protocol's. */
export const systemSection = 'SQL Server';

/**
 * The schema that the catalog lists a procedure under: SQL Server's own are in sys, extensions in granary, all others
 * in dbo.
 */
export const schemaOf = ({ section, schema }: AnyProcedure): 'dbo' | 'sys' | 'granary' =>
  schema ?? (section === systemSection ? 'sys' : 'dbo');

/** A number that identifies an object: the same at every start and on every machine, positive, 32 bits. */
export function objectId(schema: string, name: string): number {
  let hash = 0x811c9dc5; // FNV-1a
  for (const unit of Buffer.from(fold(`${schema}.${name}`), 'utf8')) {
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  // Numbers below 2^24 are reserved for SQL Server's own objects, some of whose small ids are well known.
  return (hash >>> 1) | 0x01000000;
}

/** A name in brackets. */
export const quoted = (name: string): string => `[${name.replaceAll(']', ']]')}]`;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A value as T-SQL writes it. */
export function literal(type: AnyType, value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return /^(n|xml)/.test(type.name) ? `N${text(value)}` : text(value);
  if (value instanceof Date) return text(value.toISOString().slice(0, -1));
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex').toUpperCase()}`;
  throw new Error(`a ${type.declaration} has no literal here`);
}

const declaration = ({ name, type, byDefault, output }: ParamDescription): string =>
  `    ${name} ${type.declaration}${byDefault === undefined ? '' : ` = ${byDefault}`}${output ? ' OUTPUT' : ''}`;

function ending({ code, meaning, sets }: Outcome): string[] {
  const returned = typeof code === 'number' ? String(code) : code.declaration;
  const lines = Object.values(sets ?? {}).map((columns) => {
    const list = columnsOf(columns).map(({ name, type }) => `${quoted(name)} ${type.declaration}`);
    return `--     result set: ${list.join(', ')}`;
  });
  return [`-- returns ${returned}: ${meaning}`, ...lines];
}

/** The procedure in T-SQL up to AS, and then how its calls end. */
export function head(procedure: AnyProcedure, name: string = procedure.name): string {
  const params = describeParams(procedure).map(declaration);
  const outcomes: readonly Outcome[] = Object.values(procedure.outcomes);
  return [
    `CREATE PROCEDURE [${schemaOf(procedure)}].${quoted(name)}`,
    ...(params.length === 0 ? [] : [params.join(',\n')]),
    'AS',
    `-- ${procedure.section}: ${procedure.summary}`,
    ...outcomes.flatMap(ending),
    '',
  ].join('\n');
}
