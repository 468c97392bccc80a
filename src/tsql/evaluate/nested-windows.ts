import { sqlError } from '../../base/messages/sql-error.ts';
import type { Expression, FunctionCall } from '../../syntax/ast/expression.ts';
import { walk } from '../../syntax/ast/walk.ts';

/** 4109 for a window function among the arguments of another, or of an aggregate; a subquery has windows of its own. */
export function refuseWindowsIn(args: readonly Expression[]): void {
  walk(args, (node) => {
    if (node.kind === 'subquery') return false;
    // The kind determines the node's type.
    if (node.kind === 'call' && (node as FunctionCall).over !== undefined) throw sqlError(4109);
    return true;
  });
}
