import type { SessionHost } from '../../../src/session/session-host.ts';
import { reserved } from '../../../src/syntax/lexer/keywords.ts';
import { typeNames } from '../../../src/syntax/parser/data-type.ts';
import { parse } from '../../../src/syntax/parser/parse.ts';
import { aggregateNames } from '../../../src/tsql/functions/aggregate-names.ts';
import { functions } from '../../../src/tsql/functions/functions.ts';
import { globals } from '../../../src/tsql/functions/globals.ts';
import { runBatch } from '../../../src/tsql/run-batch.ts';
import { batch, Recorder } from '../../support/recorder.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { statements } from './statements.ts';

const names = Object.keys(functions);
const aggregates = [...aggregateNames];
const keywords = [...reserved];
const variables = Object.keys(globals);
const operators = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '!=',
  '!<',
  '!>',
  'and',
  'or',
  'like',
  'is',
  'in',
  'between',
  'not',
  'collate',
  ',',
  '.',
  ';',
  '(',
  ')',
  '::',
  ':',
  '{',
  '}',
  '?',
  '!',
  '+=',
  '~',
];
const literals = [
  '1',
  '0',
  '-1',
  '1.5',
  '.5',
  '1e5',
  '1e',
  '0x',
  '0x1F',
  '$1',
  '$',
  "''",
  "'a'",
  "N'é'",
  "'2024-01-01'",
  'null',
  '2147483648',
  '99999999999999999999999999999999999999',
  "N'<a/>'",
  '@v',
  '@t',
  '@@rowcount',
  '#t',
  '[a b]',
  '"q"',
  'a',
  't',
  'dbo',
];

/** An expression of the grammar. */
function expression(random: Random, depth = 0): string {
  if (depth > 3 || random.chance(3)) return random.pick(literals);
  const inner = () => expression(random, depth + 1);
  switch (random.below(9)) {
    case 0:
      return `${inner()} ${random.pick(operators)} ${inner()}`;
    case 1: {
      const name = random.pick(names);
      const spec = functions[name];
      const count = (spec?.min ?? 1) + random.below(Math.min(3, (spec?.max ?? 1) - (spec?.min ?? 1)) + 1);
      return `${name}(${Array.from({ length: count }, (_, at) => (spec?.datePart && at === 0 ? random.pick(['day', 'yy', 'ns', 'x']) : inner())).join(', ')})`;
    }
    case 2:
      return `cast(${inner()} as ${random.pick(typeNames)})`;
    case 3:
      return `convert(${random.pick(typeNames)}, ${inner()}, ${random.pick(['0', '1', '2', '126', '130', '@v'])})`;
    case 4:
      return `case when ${inner()} = ${inner()} then ${inner()} else ${inner()} end`;
    case 5:
      return `(${query(random, depth + 1)})`;
    case 6:
      return `${random.pick(aggregates)}(${random.chance(3) ? 'distinct ' : ''}${inner()})${random.chance(3) ? ` over (order by ${inner()})` : ''}`;
    case 7:
      return random.pick(variables);
    default:
      return `(${inner()})`;
  }
}

function query(random: Random, depth = 0): string {
  const list = random.some(4, () => expression(random, depth + 1)).join(', ') || '*';
  const from = random.pick([
    '',
    ' from #t',
    ' from #t a join #t b on a.id = b.id',
    ' from (values (1), (2)) v (id)',
    ' from sys.types',
    ' from @t',
  ]);
  const where = random.chance(2)
    ? ` where ${expression(random, depth + 1)} ${random.pick(['=', '<', 'like', 'in', 'is not'])} ${expression(random, depth + 1)}`
    : '';
  const rest = random.pick([
    '',
    '',
    ' order by 1',
    ' group by id',
    ' for xml path',
    ' for json auto',
    ' union select 1',
    ' option (maxrecursion 5)',
  ]);
  return `select ${random.chance(5) ? 'top 3 ' : ''}${random.chance(6) ? 'distinct ' : ''}${list}${from}${where}${rest}`;
}

/** Tokens in any order. */
const soup = (random: Random): string =>
  random
    .some(30, () =>
      random.pick([random.pick(keywords), random.pick(operators), random.pick(literals), random.pick(names)]),
    )
    .join(random.pick([' ', ' ', '\n', '']));

/** A good statement with words changed for others. */
function spoiled(random: Random): string {
  const words = random.pick(statements).split(/(\s+|[(),.;=])/);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(words.length);
    const put = random.pick([
      () => '',
      () => random.pick(keywords),
      () => random.pick(operators),
      () => random.pick(literals),
      () => expression(random, 2),
      () => words[random.below(words.length)] ?? '',
    ] as const)();
    words.splice(at, random.below(3), put);
  }
  return words.join('');
}

export const makeText = (random: Random): string => {
  const make = random.pick([
    soup,
    spoiled,
    spoiled,
    query,
    (each: Random) => `select ${expression(each)}`,
    (each: Random) => `declare @v ${each.pick(typeNames)} = ${expression(each)} ${spoiled(each)}`,
  ]);
  return make(random);
};

let session: SessionHost | undefined;
let used = 0;

/** A session with a table; a fresh one now and then, since statements change it. */
async function freshSession(): Promise<SessionHost> {
  if (session === undefined || ++used % 200 === 0) {
    // Loaded here: it belongs to node:test, which the other targets do not need.
    const { openSession } = await import('../../support/session.ts');
    await session?.close();
    session = await openSession({ isAdministrator: false });
    await batch(
      session,
      "create table #t (id int primary key, a nvarchar(20), d datetime) insert #t values (1, 'x', 0), (2, null, null)",
    );
  }
  return session;
}

export const tsqlTargets: readonly Target[] = [
  {
    name: 'parser',
    make: (random) => Buffer.from(makeText(random)),
    run: (input) => void parse(input.toString(), { variables: ['@v'] }),
  },
  {
    name: 'statements',
    make: (random) => Buffer.from(makeText(random)),
    async run(input) {
      const host = await freshSession();
      const limit = AbortSignal.timeout(2000);
      try {
        await runBatch(host, input.toString(), new Recorder(), limit);
      } catch (error) {
        if (!limit.aborted) throw error;
      }
    },
  },
];
