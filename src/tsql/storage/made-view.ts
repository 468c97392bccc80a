import { fold } from '../../base/text/collation.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import type { CreateView } from '../../syntax/ast/statement.ts';
import type { Host } from '../host.ts';
import type { HeldMemory } from './held-memory.ts';

/** A view that an administrator made in tempdb. It runs with the rights of whoever queries it. */
export interface MadeView {
  readonly schema: string;
  readonly name: string;
  readonly objectId: number;
  readonly definition: CreateView;
  /** As they were when it was made: it has no others, whatever becomes of what it reads. */
  readonly columns: readonly TemporaryColumn[];
  /** The numbers of the tables and views that it keeps from being dropped: WITH SCHEMABINDING. */
  readonly bindsTo: ReadonlySet<number>;
  /** The columns that it names, folded, if it is bound: what changes its tables does not read its query again. */
  readonly boundNames: ReadonlySet<string>;
  /** The tables and views that it names, each once. */
  readonly reads: readonly ObjectName[];
  /** The memory of its text and tree. */
  readonly memory: HeldMemory;
}

/** The views that keep a table or view as it is: WITH SCHEMABINDING. */
export const boundTo = ({ objectId }: { readonly objectId: number }, { tempDb }: Host): MadeView[] =>
  tempDb.places.flatMap(({ views }) =>
    [...views.values()].filter((view) => view.bindsTo.has(objectId) && view.objectId !== objectId),
  );

/** What a name in a view means: an object of its own schema, or else of dbo, in tempdb, wherever the view is queried. */
export function meantBy({ schema }: Pick<MadeView, 'schema'>, name: ObjectName, { tempDb }: Host): ObjectName {
  if (name.database !== undefined) return name;
  const here = { ...name, database: 'tempdb' };
  if (name.schema !== undefined) return here;
  const own = tempDb.placeOf(schema);
  const key = fold(name.name);
  return own?.tables.has(key) || own?.views.has(key) ? { ...here, schema } : here;
}
