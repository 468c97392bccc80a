import { readFileSync } from 'node:fs';
import type { OrNull } from '../../../src/base/stored.ts';
import type { AnyProcedure, Columns, Outcomes, Params } from '../../../src/procedure/declare.ts';
import { isOutput } from '../../../src/procedure/param.ts';
import type { AnyType } from '../../../src/tds/types/sql-type.ts';

/** A parameter as the specification writes it. */
export interface ParamSignature {
  readonly name: string;
  readonly type: string;
  /** True where the text says that the value must not be NULL. */
  readonly notNull?: true;
  readonly output?: true;
  readonly default?: null | number | boolean;
}

export interface ColumnSignature {
  /** Empty where the specification gives the column no name. */
  readonly name: string;
  readonly type: string;
  readonly notNull?: true;
}

export interface SetSignature {
  readonly section: string;
  /** True where the set comes only under a condition. */
  readonly optional?: true;
  readonly columns: readonly ColumnSignature[];
}

/** A procedure as the specification writes it. */
export interface Signature {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly section: string;
  /** The codes that it may return; `value` where the code is a count; `ignored` where clients must ignore it. */
  readonly returns: readonly number[] | 'value' | 'ignored';
  readonly params: readonly ParamSignature[];
  readonly sets: readonly SetSignature[];
}

/** Reads the signatures of a protocol. */
export function signaturesOf(protocol: string): readonly Signature[] {
  const text = readFileSync(new URL(`./${protocol}.json`, import.meta.url), 'utf8');
  // The files beside this one are the project's own data in exactly this form.
  return (JSON.parse(text) as { procedures: readonly Signature[] }).procedures;
}

const typeName = (type: AnyType): string => (type.name === 'timestamp' ? 'rowversion' : type.declaration);

const asText = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** A line for each place where a declaration differs from the specification's signature. */
export function differences(signature: Signature, declared: AnyProcedure, protocol: string): string[] {
  const lines: string[] = [];
  const compare = (what: string, is: unknown, should: unknown) => {
    if (asText(is) !== asText(should))
      lines.push(`${signature.name} ${what}: ${asText(is)} instead of ${asText(should)}`);
  };
  compare('name', declared.name, signature.name);
  compare('section', declared.section, `${protocol} ${signature.section}`);
  // SQL Server compares names without regard to case, so an alias that differs only there needs no mention.
  const other = (signature.aliases ?? []).filter((alias) => alias.toLowerCase() !== signature.name.toLowerCase());
  compare('aliases', [...(declared.aliases ?? [])].sort(), other.sort());
  compareParams(signature, declared.params, compare);
  compareCodes(signature, declared.outcomes, compare);
  compareSets(signature, declared.outcomes, compare);
  return lines;
}

type Compare = (what: string, is: unknown, should: unknown) => void;

function compareParams(signature: Signature, params: Params, compare: Compare): void {
  compare(
    'parameters',
    Object.keys(params),
    signature.params.map(({ name }) => name),
  );
  for (const should of signature.params) {
    const is = params[should.name];
    if (is === undefined) continue;
    const of = `@${should.name}`;
    compare(`${of} type`, typeName(is.type), should.type);
    compare(`${of} output`, isOutput(is), should.output ?? false);
    compare(`${of} default`, is.default, should.default);
    compare(`${of} never NULL`, is.kind === 'required', should.notNull ?? false);
  }
}

function compareCodes({ returns }: Signature, outcomes: Outcomes, compare: Compare): void {
  const codes = new Set(Object.values(outcomes).map(({ code }) => (typeof code === 'number' ? code : 'value')));
  const should = returns === 'value' ? ['value'] : returns === 'ignored' ? [0] : returns;
  compare('return codes', [...codes].sort(), [...should].sort());
}

const columnSignatures = (columns: Columns) =>
  Object.entries(columns).map(([name, column]) => {
    const nullable = 'orNull' in column;
    return { name, type: typeName(nullable ? (column as OrNull<AnyType>).orNull : column), nullable };
  });

function compareSets(signature: Signature, outcomes: Outcomes, compare: Compare): void {
  const mayBeMissing = signature.sets.every(({ optional }) => optional);
  const sent = Object.entries(outcomes).map(([name, { sets }]) => ({ name, sets: Object.values(sets ?? {}) }));
  for (const { name, sets } of sent) {
    if (sets.length === 0 && mayBeMissing) continue;
    compare(`result sets of ${name}`, sets.length, signature.sets.length);
    for (const [at, columns] of sets.entries()) {
      const should = signature.sets[at];
      if (should) compareColumns(should, columns, compare);
    }
  }
  const most = Math.max(0, ...sent.map(({ sets }) => sets.length));
  compare('result sets', most, signature.sets.length);
}

function compareColumns(should: SetSignature, columns: Columns, compare: Compare): void {
  const is = columnSignatures(columns);
  compare(
    `${should.section} columns`,
    is.map(({ name, type }) => `${name} ${type}`),
    should.columns.map(({ name, type }) => `${name} ${type}`),
  );
  for (const column of should.columns.filter(({ notNull }) => notNull)) {
    compare(
      `${should.section} ${column.name} never NULL`,
      !is.find(({ name }) => name === column.name)?.nullable,
      true,
    );
  }
}
