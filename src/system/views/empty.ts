import type { MemoryRelation } from '../../procedure/relation.ts';
import { declaredColumns } from './declared.ts';
import { emptyIsoLists, emptyLists } from './empty-lists.ts';
import { view } from './view.ts';

const viewsOf = (schema: 'sys' | 'INFORMATION_SCHEMA', lists: Readonly<Record<string, string>>): MemoryRelation[] =>
  Object.entries(lists).map(([name, list]) => view(schema, name, declaredColumns(list), () => []));

/** The views of what a database here never has: tools read them at first contact and want their columns. */
export const emptyViews: readonly MemoryRelation[] = [
  ...viewsOf('sys', emptyLists),
  ...viewsOf('INFORMATION_SCHEMA', emptyIsoLists),
];
