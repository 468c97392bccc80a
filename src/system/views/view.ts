import type { Row } from '../../base/stored.ts';
import type { Columns } from '../../procedure/declare.ts';
import type { MemoryRelation } from '../../procedure/relation.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { padded } from '../padded.ts';

type Rows<C extends Columns> = Iterable<Row<C>> | Promise<Iterable<Row<C>>>;

/** Declares a catalog view: its columns in order, and what it says of the server that a call runs in. */
export function view<const C extends Columns>(
  schema: 'sys' | 'INFORMATION_SCHEMA',
  name: string,
  columns: C,
  rows: (call: SystemCall) => Rows<C>,
): MemoryRelation<C> {
  return {
    schema,
    name,
    type: 'view',
    columns,
    async *rows(call) {
      yield* padded(columns, await rows(call));
    },
  };
}

type ColumnType = Columns[string];

/** Columns that say the same in every row, each with its value: what Granary has no other answer to. */
export function constant<const D extends Readonly<Record<string, readonly [ColumnType, unknown]>>>(
  declared: D,
): { readonly columns: { readonly [K in keyof D]: D[K][0] }; readonly values: { readonly [K in keyof D]: D[K][1] } } {
  const pick = (at: 0 | 1) => Object.fromEntries(Object.entries(declared).map(([name, pair]) => [name, pair[at]]));
  // Object.fromEntries forgets which key had which value; the declared type knows.
  return { columns: pick(0), values: pick(1) } as ReturnType<typeof constant<D>>;
}
