import type { FunctionCall } from '../ast/expression.ts';
import type { FromItem } from '../ast/query.ts';

type Visit = (node: { readonly kind: string }) => boolean;

const isNode = (value: object): value is { readonly kind: string } => 'kind' in value && typeof value.kind === 'string';

/** Visits every node of a syntax tree from the top; what `visit` answers false for is not gone into. */
export function walk(node: unknown, visit: Visit): void {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit);
    return;
  }
  if (typeof node !== 'object' || node === null || node instanceof Uint8Array || node instanceof Date) return;
  if (isNode(node) && !visit(node)) return;
  for (const [key, value] of Object.entries(node)) if (key !== 'type' && typeof value === 'object') walk(value, visit);
}

/** The tables named in FROM anywhere in a statement, and the functions it calls. */
export function namesIn(statement: unknown): { tables: (FromItem & { kind: 'table' })[]; functions: Set<string> } {
  const tables: (FromItem & { kind: 'table' })[] = [];
  const functions = new Set<string>();
  walk(statement, (node) => {
    // A kind tells the node's type: no other node is a table or a call.
    if (node.kind === 'table') tables.push(node as FromItem & { kind: 'table' });
    if (node.kind === 'call') functions.add((node as FunctionCall).name);
    return true;
  });
  return { tables, functions };
}

/** True when an expression holds such a call at its own level: not inside a subquery. */
export function hasCall(node: unknown, matches: (call: FunctionCall) => boolean): boolean {
  let found = false;
  walk(node, (each) => {
    if (each.kind === 'subquery' || each.kind === 'exists') return false;
    if (each.kind === 'call' && matches(each as FunctionCall)) found = true;
    return !found;
  });
  return found;
}
