import { fold } from '../../base/collation.ts';
import type { Expression } from '../../syntax/ast/expression.ts';
import type { SelectScope } from './scope.ts';

/** A text that is the same for expressions that mean the same: columns count by what they refer to, not by how they are written. */
export function expressionKey(expression: Expression, scope: SelectScope): string {
  return JSON.stringify(expression, (name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null) return value;
    if (name === 'type' && 'declaration' in value) return value.declaration;
    if ('kind' in value && value.kind === 'variable' && 'name' in value) return fold(String(value.name));
    if (!('kind' in value) || value.kind !== 'column' || !('parts' in value)) return value;
    // A column's parts are strings; only the parser makes such nodes.
    const parts = value.parts as readonly string[];
    const place = scope.find(parts);
    return place === undefined ? parts.map(fold) : { at: `${place.source}.${place.column}` };
  });
}
