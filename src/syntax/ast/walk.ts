import type { Steps } from '../../base/threads/steps.ts';
import type { FunctionCall, GlobalRef } from './expression.ts';
import type { FromItem } from './query.ts';

type Visit = (node: { readonly kind: string }) => boolean;

const isNode = (value: object): value is { readonly kind: string } => 'kind' in value && typeof value.kind === 'string';

/** What a node of a syntax tree may be looked into for, in order; constants hold none. */
function insideOf(node: object): readonly unknown[] {
  if (Array.isArray(node)) return node;
  if (node instanceof Uint8Array || node instanceof Date) return [];
  if (isNode(node) && node.kind === 'literal') return [];
  const inside: unknown[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'type' && typeof value === 'object' && value !== null) inside.push(value);
  }
  return inside;
}

/** Nodes that are visited before others may have their turn. */
const nodesInARow = 2000;

/** Visits every node of a syntax tree from the top, in steps. */
function* visits(top: unknown, visit: (node: { readonly kind: string }) => void): Steps<void> {
  const left: unknown[] = [top];
  for (let count = 1; left.length > 0; count++) {
    const node = left.pop();
    if (count % nodesInARow === 0) yield;
    if (typeof node !== 'object' || node === null) continue;
    if (isNode(node)) visit(node);
    const inside = insideOf(node);
    for (let at = inside.length - 1; at >= 0; at--) left.push(inside[at]);
  }
}

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

/** What a statement names anywhere in it. */
interface Names {
  /** The tables of FROM. */
  readonly tables: readonly (FromItem & { kind: 'table' })[];
  /** The functions it calls. */
  readonly functions: ReadonlySet<string>;
  /** The variables that begin with @@, in upper case. */
  readonly globals: ReadonlySet<string>;
}

export function* namesIn(statement: unknown): Steps<Names> {
  const tables: (FromItem & { kind: 'table' })[] = [];
  const functions = new Set<string>();
  const globals = new Set<string>();
  yield* visits(statement, (node) => {
    // The kind determines the node's type: no other node is a table or a call.
    if (node.kind === 'table') tables.push(node as FromItem & { kind: 'table' });
    if (node.kind === 'call') functions.add((node as FunctionCall).name);
    if (node.kind === 'global') globals.add((node as GlobalRef).name);
  });
  return { tables, functions, globals };
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

/** How deep queries are nested in an expression. */
export function subqueryDepth(node: unknown): number {
  let depth = 0;
  walk(node, (each) => {
    if (!('query' in each)) return true;
    depth = Math.max(depth, 1 + subqueryDepth(each.query));
    return false;
  });
  return depth;
}
