import type { Query } from '../../syntax/ast/query.ts';
import type { Frame } from '../frame.ts';

/** A query with its variables replaced by the values they have now: a cursor does not see what becomes of them. */
export function bindVariables(query: Query, frame: Frame): Query {
  // The copy has the same shape: only nodes for variables become nodes for constants, which stand in the same places.
  return bound(query, frame) as Query;
}

function bound(node: unknown, frame: Frame): unknown {
  if (Array.isArray(node)) return node.map((each) => bound(each, frame));
  if (typeof node !== 'object' || node === null || node instanceof Uint8Array || node instanceof Date) return node;
  if ('kind' in node && node.kind === 'literal') return node;
  if ('kind' in node && node.kind === 'variable' && 'name' in node && typeof node.name === 'string') {
    return constant(node.name, frame) ?? node;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'type' ? value : bound(value, frame)]),
  );
}

/** Undefined for a table variable, which stays what it is. */
function constant(name: string, frame: Frame): object | undefined {
  const found = frame.find(name);
  return found && { kind: 'literal', type: found.type, value: found.value };
}
