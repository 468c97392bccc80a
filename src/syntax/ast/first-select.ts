import type { QueryBody, Select } from './query.ts';

/** The SELECT that a query begins with, which names its columns; undefined for one in parentheses, or for VALUES. */
export function firstSelect(body: QueryBody): Select | undefined {
  let first = body;
  while (first.kind === 'set') first = first.first;
  return first.kind === 'select' ? first : undefined;
}
