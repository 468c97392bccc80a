import { objectId } from '../procedure/describe.ts';
import { defaultIdOf, defaultNameOf } from '../procedure/relations/default-name.ts';
import type { TableCheck, TableKey, TableReference, TemporaryColumn } from '../procedure/relations/tsql-view.ts';
import type { CatalogRelation } from './catalog.ts';
import { indexesOf } from './indexes.ts';

interface Constrained {
  readonly of: CatalogRelation;
  readonly id: number;
  readonly name: string;
}

/** A constraint of a table: a separate object in the catalog. */
export type Constraint = Constrained &
  (
    | { readonly type: 'PK' | 'UQ'; readonly key: TableKey; readonly index: number }
    | { readonly type: 'D'; readonly column: TemporaryColumn; readonly ordinal: number }
    | { readonly type: 'F'; readonly reference: TableReference }
    | { readonly type: 'C'; readonly check: TableCheck }
  );

/** What sys.objects calls each. */
export const constraintTypes: Readonly<Record<Constraint['type'], string>> = {
  PK: 'PRIMARY_KEY_CONSTRAINT',
  UQ: 'UNIQUE_CONSTRAINT',
  D: 'DEFAULT_CONSTRAINT',
  F: 'FOREIGN_KEY_CONSTRAINT',
  C: 'CHECK_CONSTRAINT',
};

/** The keys, defaults, references and checks of a table. */
export function* constraintsOf(of: CatalogRelation): Generator<Constraint> {
  for (const { id: index, key } of indexesOf(of)) {
    if (key === undefined || key.kind === 'index') continue;
    const type = key.kind === 'PRIMARY KEY' ? 'PK' : 'UQ';
    yield { of, id: objectId(of.schema, key.name), name: key.name, type, key, index };
  }
  for (const [at, column] of of.columns.entries()) {
    if (column.byDefault === undefined) continue;
    const name = defaultNameOf(of, column);
    yield { of, id: defaultIdOf(of, column), name, type: 'D', column, ordinal: at + 1 };
  }
  for (const reference of of.references)
    yield { of, id: objectId(of.schema, reference.name), name: reference.name, type: 'F', reference };
  for (const check of of.checks ?? [])
    yield { of, id: objectId(of.schema, check.name), name: check.name, type: 'C', check };
}

/** True for a name that nobody thought of: SQL Server’s end in a number. */
export const isSystemNamed = (name: string): boolean => /__[0-9A-F]{8,16}$/.test(name);
