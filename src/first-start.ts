import { randomInt } from 'node:crypto';
import { SqlError } from './base/messages/sql-error.ts';
import type { Stored } from './base/stored.ts';
import type { Engine } from './engine/engine.ts';
import { foldedName } from './engine/names.ts';
import { sql } from './engine/sql.ts';
import type { Kind } from './procedure/kind.ts';

const word: Stored<string> = { fromStore: String };
const nameTaken = 1801;

/**
 * Makes the first database of every kind that this data has never known, and returns their names. A kind is noted
 * once its database is there, so that one that the operator dropped stays dropped.
 */
export async function createFirstDatabases(engine: Engine, kinds: readonly Kind[], now: Date): Promise<string[]> {
  const rows = await engine.system.read((db) => db.all({ name: word }, sql`select name as "name" from known_kinds`));
  const known = new Set(rows.map(({ name }) => name));
  const made: string[] = [];
  for (const kind of kinds.filter(({ name }) => !known.has(name))) {
    if (await createUnlessThere(engine, kind)) made.push(kind.firstDatabase);
    const { firstContents } = kind;
    if (firstContents && (await isOfKind(engine, kind))) await fill(engine, kind.firstDatabase, firstContents);
    await engine.system.write((db) =>
      db.run(sql`insert into known_kinds (name, since) values (${kind.name}, ${now}) on conflict (name) do nothing`),
    );
  }
  return made;
}

/** What databases that are made later begin with: the same as the first of their kind, where they need no other. */
export const contentsOfNew =
  (kinds: readonly Kind[]) =>
  (kindName: string): Kind['firstContents'] => {
    const kind = kinds.find(({ name }) => name === kindName);
    return kind?.isWhole === true ? kind.firstContents : undefined;
  };

async function fill(engine: Engine, database: string, contents: NonNullable<Kind['firstContents']>): Promise<void> {
  await (await engine.open(database))?.write((db) => contents(db, database), { serial: true });
}

/** The operator may have made a database of another kind under that name: it is left alone. */
async function isOfKind(engine: Engine, { name, firstDatabase }: Kind): Promise<boolean> {
  const listed = await engine.list();
  return listed.some((each) => foldedName(each.name) === foldedName(firstDatabase) && each.kind === name);
}

async function createUnlessThere(engine: Engine, { name, firstDatabase }: Kind): Promise<boolean> {
  try {
    await engine.create(firstDatabase, name);
    return true;
  } catch (error) {
    // Another node on the same PostgreSQL was quicker, or the operator made one of that name.
    if (error instanceof SqlError && error.number === nameTaken) return false;
    throw error;
  }
}

// No letter or digit that looks like another one, and nothing that a shell or a connection string would read.
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password that nobody guesses (more than 130 bits) and that can be copied by hand. */
export function generatePassword(): string {
  return Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('');
}
