import type { BoundKind } from '../bind.ts';
import { Compiler, type Dialect, fragmentColumn } from '../compile.ts';
import { quoted } from '../sql.ts';

/** PostgreSQL's type name for each kind of value. */
export const castOf: Record<Exclude<BoundKind, 'null'>, string> = {
  integer: 'bigint',
  double: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

/**
 * PostgreSQL must know the type of each parameter before it sees a value, so the text includes a cast; NULL has no type
 * and is written into the text itself. A fragment is one array per column.
 */
const postgresDialect: Dialect = {
  engine: 'postgres',
  typed: true,
  placeholder: (place, kind) => (kind === 'null' ? 'null' : `$${place}::${castOf[kind]}`),
  fragment({ columns }, place) {
    const arrays = Object.values(columns).map((kind, index) => `$${place + index}::${kind}[]`);
    const names = Object.keys(columns).map(quoted);
    return `(select * from unnest(${arrays.join(', ')}) as given(${names.join(', ')}))`;
  },
  fragmentValues: (fragment) =>
    Object.keys(fragment.columns).map((name, index) => fragmentColumn(fragment, name, index)),
};

export const compiler = new Compiler(postgresDialect);
