import { type AnyProcedure, type Columns, type Outcomes, systemProcedure } from '../procedure/declare.ts';
import { systemSection } from '../procedure/describe.ts';
import { optional, type Param, required } from '../procedure/param.ts';
import type { InnerSet } from '../procedure/relations/tsql-view.ts';
import { readColumns, typeNamed, valueIn } from './catalog-text.ts';
import { filled } from './filled.ts';
import { rowsOfSet } from './inner-rows.ts';

/** `@name type = default: what it is`; without a default it has to be given. */
function readParam(line: string): readonly [string, Param] {
  const [, name = '', declared = '', byDefault, doc = ''] =
    /^@(\w+) (\S+?)(?: = (\S+|'[^']*'))?: (.*)$/.exec(line) ?? [];
  const type = typeNamed(declared);
  if (byDefault === undefined) return [name, required(type, doc)];
  return [name, optional(type, byDefault === 'null' ? null : valueIn(type, byDefault), doc)];
}

/** The result sets of one way to end. */
type Sets = readonly Columns[];

/** `returns` begins a way to end, `and` adds a result set to it. */
function readOutcomes(lines: readonly string[]): readonly Sets[] {
  const outcomes: Columns[][] = [];
  for (const line of lines) {
    const [, word, list = ''] = /^(returns|and) (.*)$/s.exec(line) ?? [];
    const sets = list === 'nothing' ? [] : [readColumns(list).columns];
    if (word === 'returns') outcomes.push(sets);
    else outcomes.at(-1)?.push(...sets);
  }
  return outcomes;
}

/** The comment lines at the beginning of a block; an indented one continues the one before. */
function remarksOf(block: string): string[] {
  const head = /^(?:\s*--.*\n?)*/.exec(block)?.[0] ?? '';
  return head
    .trim()
    .replaceAll(/\n-- {3}/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^--\s/, ''));
}

const names = (columns: Columns): string => JSON.stringify(Object.keys(columns));

/**
 * The outcome whose result sets these are: the one whose columns have their names or, if a query names none, the same
 * number of sets. A block without statements has only one, whose sets have no rows.
 */
function outcomeOf(outcomes: readonly Sets[], sets: readonly InnerSet[]): number {
  if (sets.length === 0 && outcomes.length === 1) return 0;
  const sent = sets.map(({ columns }) => JSON.stringify(columns.map(({ name }) => name)));
  const found = outcomes.findIndex(
    (each) => each.length === sent.length && each.every((set, at) => names(set) === sent[at]),
  );
  return found < 0 ? outcomes.findIndex((each) => each.length === sent.length) : found;
}

function readProcedure(block: string): AnyProcedure {
  const [head = '', ...rest] = remarksOf(block);
  const [, all = '', summary = ''] = /^([\w, ]+): (.*)$/s.exec(head) ?? [];
  const [name = '', ...aliases] = all.split(', ');
  const params = Object.fromEntries(rest.filter((line) => line.startsWith('@')).map(readParam));
  const ways = readOutcomes(rest.filter((line) => !line.startsWith('@')));
  const outcomes: Outcomes = Object.fromEntries(
    ways.map((sets, at) => [
      `way${at}`,
      {
        code: 0,
        meaning: 'Always.',
        ...(sets.length === 0 ? {} : { sets: Object.fromEntries(sets.map((columns, set) => [`set${set}`, columns])) }),
      },
    ]),
  );
  return systemProcedure({
    name,
    aliases,
    section: systemSection,
    summary,
    access: 'none',
    params,
    outcomes,
    async handle(call, input: Readonly<Record<string, unknown>>) {
      const variables = Object.entries(params).map(([param, { type }]) => ({
        name: `@${param}`,
        type,
        value: input[param],
      }));
      const sets = await call.tsql.run(call.database, block, variables);
      const way = outcomeOf(ways, sets);
      const rows = (ways[way] ?? []).map((columns, at) => {
        const set = sets[at];
        return [
          `set${at}`,
          set === undefined ? [] : filled({ columns, constants: {} }, rowsOfSet(set, columns)),
        ] as const;
      });
      // The texts, not the compiler, determine the columns of a set; the rows were made from them.
      return { outcome: `way${way}`, sets: Object.fromEntries(rows) } as never;
    },
  });
}

/** Reads procedures that are T-SQL: blocks between lines with `go`, each with remarks that declare it. */
export const readProcedures = (text: string): readonly AnyProcedure[] =>
  text
    .split(/^go$/m)
    .slice(1)
    .map((block) => readProcedure(`${block.trim()}\n`));
