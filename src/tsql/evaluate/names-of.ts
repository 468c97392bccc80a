import { inTurns } from '../../base/threads/steps.ts';
import type { FromItem } from '../../syntax/ast/query.ts';
import { namesIn } from '../../syntax/ast/walk.ts';
import type { Frame } from '../frame.ts';
import { type MadeView, meantBy } from '../storage/made-view.ts';
import { viewNamed } from '../storage/object-place.ts';

export type NamedTable = FromItem & { readonly kind: 'table' };

/** What a statement refers to, also through views. */
interface Names {
  /** The tables of FROM; those of a view by their whole names, and with the hints that the view itself has. */
  readonly tables: readonly NamedTable[];
  readonly functions: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  /** The statement, and the queries of the views that it reads, each once. */
  readonly parts: readonly unknown[];
}

export async function namesOf(statement: unknown, frame: Frame, within?: MadeView): Promise<Names> {
  const tables: NamedTable[] = [];
  const functions = new Set<string>();
  const globals = new Set<string>();
  const read = new Set<MadeView>();
  const none: readonly string[] = [];
  const parts = [{ part: statement, of: within, hints: none }];
  // Grows meanwhile.
  for (const { part, of, hints: above } of parts) {
    const names = await inTurns(namesIn(part), frame.turn);
    for (const table of names.tables) {
      const name = of === undefined ? table.name : meantBy(of, table.name, frame.host);
      const hints = [...above, ...(table.hints ?? [])];
      tables.push(of === undefined ? table : { ...table, name, hints });
      const view = viewNamed(name, frame.host);
      if (view === undefined || read.has(view)) continue;
      read.add(view);
      parts.push({ part: view.definition.query, of: view, hints });
    }
    for (const each of names.functions) functions.add(each);
    for (const each of names.globals) globals.add(each);
  }
  return { tables, functions, globals, parts: parts.map(({ part }) => part) };
}
