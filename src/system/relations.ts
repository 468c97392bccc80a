import type { MemoryRelation } from '../procedure/relations/relation.ts';
import type { SystemCall } from '../procedure/system-call.ts';
import { listInTurns } from './catalog.ts';
import { readViews, textOf, type ViewText } from './catalog-text.ts';
import { filled } from './filled.ts';
import { rowsOfSet } from './inner-rows.ts';
import { columnRowsByView } from './views/columns.ts';
import { languageRows } from './views/languages.ts';
import { objectRows } from './views/objects.ts';
import { osRows } from './views/os.ts';
import type { Given, RowsByView } from './views/rows.ts';
import { serverRows } from './views/server.ts';
import { sessionRows } from './views/sessions.ts';
import { storageRows } from './views/storage.ts';

const rowsByView: RowsByView = {
  ...objectRows,
  ...columnRowsByView,
  ...storageRows,
  ...serverRows,
  ...sessionRows,
  ...osRows,
  ...languageRows,
};

const textsIn = (file: string): readonly ViewText[] => readViews(textOf(`views/${file}.txt`, import.meta.url));

async function given(view: ViewText, call: SystemCall): Promise<Iterable<Given>> {
  const [name = ''] = view.names;
  if (view.query === undefined) return rowsByView[name]?.(call) ?? [];
  const [set] = await call.tsql.run(call.database, view.query, []);
  return set === undefined ? [] : rowsOfSet(set, view.columns);
}

/** The views of a text as relations; those of a database are in it alone. */
const relationsIn = (file: string, database?: string): readonly MemoryRelation[] =>
  textsIn(file).flatMap((view) =>
    view.names.map((whole, at) => {
      const [schema = '', name = ''] = whole.split('.');
      return {
        schema,
        name,
        type: database === undefined ? ('view' as const) : ('table' as const),
        columns: view.columns,
        isSystem: true,
        ...(at === 0 ? {} : { isAlias: true as const }),
        ...(database === undefined ? {} : { database }),
        async *rows(call: SystemCall) {
          await listInTurns(call);
          yield* filled(view, await given(view, call));
        },
      };
    }),
  );

const texts = ['objects', 'server', 'iso', 'old', 'nothing'].flatMap((file) => relationsIn(file));

for (const name of Object.keys(rowsByView))
  if (!texts.some((each) => `${each.schema}.${each.name}` === name)) throw new Error(`the catalog has no view ${name}`);

/** The catalog views of SQL Server, which every database offers, and the tables of master and msdb. */
export const systemRelations: readonly MemoryRelation[] = [
  ...texts,
  ...['master', 'msdb'].flatMap((database) => relationsIn(database, database)),
];
