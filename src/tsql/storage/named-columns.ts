import { fold } from '../../base/text/collation.ts';
import { walk } from '../../syntax/ast/walk.ts';

/** The columns that a part of a table's definition names, folded. */
export function namedColumns(part: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  walk(part, (node) => {
    if (node.kind === 'column' && 'parts' in node && Array.isArray(node.parts))
      found.add(fold(String(node.parts.at(-1))));
    return true;
  });
  return found;
}
