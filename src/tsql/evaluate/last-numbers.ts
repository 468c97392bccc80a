import { SqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { objectId } from '../../procedure/describe.ts';
import { parseObjectName } from '../../procedure/object-name.ts';
import { isNumbered, lastNumber } from '../../procedure/relations/last-number.ts';
import type { Relation } from '../../procedure/relations/relation.ts';
import type { DatabaseEntry } from '../../procedure/server-view.ts';
import type { FunctionCall } from '../../syntax/ast/expression.ts';
import { walk } from '../../syntax/ast/walk.ts';
import type { Frame } from '../frame.ts';

/**
 * The last numbers that engines gave to rows: by folded database, and the object_id of the table; the seed before the
 * first.
 */
export type LastNumbers = ReadonlyMap<string, ReadonlyMap<number, bigint>>;

const seed = 1n;
/** The errors that say that the login may not read a database, or a table in it. */
const refusals: ReadonlySet<number> = new Set([229, 916]);

/** The databases for which a statement may call IDENT_CURRENT: the current one, and those named in its literals. */
function databasesAsked(statement: unknown, { host }: Frame): ReadonlySet<string> {
  const names = new Set([fold(host.database)]);
  walk(statement, (node) => {
    // The kind determines the node's type: no other node is a call.
    const [name] = node.kind === 'call' ? (node as FunctionCall).args : [];
    if (name?.kind !== 'literal' || typeof name.value !== 'string') return true;
    const { database } = parseObjectName(name.value) ?? {};
    if (database !== undefined) names.add(fold(database));
    return true;
  });
  return names;
}

async function numbersOf(relations: readonly Relation[], database: string, { host, signal }: Frame) {
  const numbers = new Map<number, bigint>();
  await host.read(
    database,
    async ({ db }) => {
      for (const relation of relations)
        numbers.set(objectId(relation.schema, relation.name), (await lastNumber(relation, db)) ?? seed);
    },
    signal,
  );
  return numbers;
}

/**
 * Looks up what IDENT_CURRENT may be asked for in a statement; nothing is known of a database that the login may not
 * read.
 */
export async function lastNumbers(
  statement: unknown,
  databases: readonly DatabaseEntry[],
  frame: Frame,
): Promise<LastNumbers> {
  const asked = databasesAsked(statement, frame);
  const found = new Map<string, ReadonlyMap<number, bigint>>();
  for (const { name, kind, isSuspect } of databases) {
    const relations =
      asked.has(fold(name)) && !isSuspect ? frame.host.server.kind(kind)?.relations.filter(isNumbered) : undefined;
    if (relations === undefined || relations.length === 0) continue;
    try {
      found.set(fold(name), await numbersOf(relations, name, frame));
    } catch (error) {
      if (!(error instanceof SqlError && refusals.has(error.number))) throw error;
    }
  }
  return found;
}
