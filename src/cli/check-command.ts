import { SqlError } from '../base/messages/sql-error.ts';
import { textColumn } from '../engine/columns.ts';
import type { Engine, ListedDatabase } from '../engine/engine.ts';
import { Newer } from '../engine/fault.ts';
import { foldedName } from '../engine/names.ts';
import { sql } from '../engine/sql.ts';
import { allKinds } from '../kinds.ts';
import type { Command } from './command.ts';
import { withData } from './data.ts';
import { OperatorError, withRoom } from './errors.ts';
import { json } from './json-flag.ts';
import { ProgressBar } from './progress.ts';

/** The number of rows that are listed for a violated rule. */
const mostShown = 5;

/** `granary check`: whether files, tables and the rules between them are whole. */
export const checkCommand: Command = {
  name: 'check',
  args: [],
  summary: 'Checks files, tables and constraints while the server is running; exits with 1 if something is wrong.',
  details: [
    'Every page and index of a SQLite file is read. On PostgreSQL the pages are PostgreSQL’s own (use pg_amcheck for them); ' +
      'tables and constraints are checked on both.',
  ],
  flags: {
    database: { placeholder: 'NAME', help: 'Only this database.' },
    json,
  },
  settings: ['all'],
  async run({ settings, flags, world }) {
    using bar = new ProgressBar(world.stderr);
    const newer = new Set<string>();
    const found = await withData(settings, async ({ engine }) => {
      const files = await withRoom('A check', settings.data, engine.damage());
      const only = flags.get('database');
      const listed = (await engine.list()).filter(({ name }) => !only || foldedName(name) === foldedName(only));
      if (only !== undefined && listed.length === 0) throw new OperatorError(`There is no database ${only}.`);
      const results: Found[] = [];
      for (const [i, each] of listed.entries()) {
        bar.show(each.name, i / listed.length);
        const wrong = files.get(each.name) ?? (await brokenRules(engine, each, newer));
        results.push({ database: each.name, wrong });
      }
      const own = files.get('granary') ?? [];
      return only === undefined ? [{ database: 'granary', wrong: own }, ...results] : results;
    });
    world.stdout.write(flags.has('json') ? `${JSON.stringify(found, undefined, 2)}\n` : found.map(shown).join(''));
    const bad = found.filter(({ wrong }) => wrong.length > 0).map(({ database }) => database);
    if (bad.length === 0) return;
    const damaged = bad.filter((name) => !newer.has(name));
    // Restoring an older backup over the data of a newer release would lose what that one has stored.
    if (damaged.length === 0) throw new OperatorError(`${bad.join(', ')}: only the newer Granary can check this.`);
    throw new OperatorError(
      `${damaged.join(', ')}: damaged. Keep a copy of the data as it is, then restore from a ` +
        'backup: granary restore FILE --database NAME --force.',
    );
  },
};

/** What was found of a database. */
interface Found {
  readonly database: string;
  readonly wrong: readonly string[];
}

const shown = ({ database, wrong }: Found): string =>
  wrong.length === 0 ? `${database}: whole\n` : `${database}:\n${wrong.map((line) => `  ${line}\n`).join('')}`;

/** The errors by which SQL Server reports damage (823, 824); others mean that a database could not be checked. */
const ofDamage: ReadonlySet<number> = new Set([823, 824]);

/**
 * The rules of its kind that a database breaks, each with what breaks it, or why it cannot be opened; one that a newer
 * release has opened is added to `newer`.
 */
async function brokenRules(engine: Engine, { name, kind }: ListedDatabase, newer: Set<string>): Promise<string[]> {
  const rules = allKinds.find((each) => each.name === kind)?.rules ?? [];
  try {
    const database = await engine.open(name);
    const wrong: string[] = [];
    for (const { rule, broken } of database === undefined ? [] : rules) {
      const rows = await database?.read(
        (db) =>
          db.all({ broken: textColumn }, sql`select broken as "broken" from (${broken}) b limit ${mostShown + 1}`),
        { work: 'unbounded' },
      );
      const ids = (rows ?? []).map((row) => row.broken);
      if (ids.length > 0)
        wrong.push(`violated: ${rule} (${ids.slice(0, mostShown).join(', ')}${ids.length > mostShown ? ', …' : ''})`);
    }
    return wrong;
  } catch (error) {
    if (error instanceof SqlError && !ofDamage.has(error.number)) {
      throw new OperatorError(`${name} could not be checked: ${error.message}`, { cause: error });
    }
    if (error instanceof Newer) newer.add(name);
    return [error instanceof Error ? error.message : String(error)];
  }
}
