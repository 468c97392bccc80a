import { type Sql, sql } from '../../../../engine/sql.ts';

/** Where references are searched: in the farm, in a Web application or in a content database. */
export type Scope =
  | { readonly within: 'farm' }
  | { readonly within: 'application'; readonly id: string }
  | { readonly within: 'database'; readonly id: string };

/** What the references are sorted by. */
export type Order = 'path' | 'id';

/** One order of the live references of one scope: a tree of `site_ranks`. */
export interface Tree {
  readonly order: Order;
  readonly scope: Scope;
}

/** The name that a tree has in `site_ranks`. */
export function treeName({ order, scope }: Tree): string {
  return scope.within === 'farm' ? order : `${order}/${scope.within}/${scope.id}`;
}

/** The column of `site_map` that sorts a tree. */
export const sortColumn: Readonly<Record<Order, Sql>> = { path: sql`path_order`, id: sql`id_order` };

/** True of the rows of `site_map` that are live and in a scope. */
export function liveIn(scope: Scope): Sql {
  switch (scope.within) {
    case 'farm':
      return sql`deletion_time is null`;
    case 'application':
      return sql`deletion_time is null and application_id = ${scope.id}`;
    case 'database':
      return sql`deletion_time is null and database_id = ${scope.id}`;
  }
}

/** What the ranks count of a reference. */
export interface Ranked {
  readonly ApplicationId: string;
  readonly DatabaseId: string;
  readonly PathOrder: string;
  readonly IdOrder: string;
  readonly Redirects: boolean;
  readonly Upgraded: boolean;
}

/** The trees that contain a reference. */
export function treesOf({ ApplicationId, DatabaseId }: Ranked): Tree[] {
  const scopes: Scope[] = [
    { within: 'farm' },
    { within: 'application', id: ApplicationId },
    { within: 'database', id: DatabaseId },
  ];
  return scopes.flatMap((scope): Tree[] => [
    { order: 'path', scope },
    { order: 'id', scope },
  ]);
}

/** The position of a reference in an order. */
export function sortKey(order: Order, { PathOrder, IdOrder }: Ranked): string {
  return order === 'path' ? PathOrder : IdOrder;
}
