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

/** What a function with OVER sees. */
function over(random: Random, inner: () => string): string {
  const end = () =>
    random.pick([
      'unbounded preceding',
      'current row',
      'unbounded following',
      `${random.below(5)} preceding`,
      '1 following',
    ]);
  const partition = random.chance(2) ? `partition by ${inner()} ` : '';
  const order = random.chance(4) ? '' : `order by ${inner()}${random.chance(3) ? ' desc' : ''}`;
  const frame = random.chance(2) ? ` ${random.pick(['rows', 'range'])} between ${end()} and ${end()}` : '';
  return ` over (${partition}${order}${frame})`;
}

/** A path into JSON, or nearly one. */
const jsonPath = (random: Random): string =>
  `'${random.pick(['', '', 'lax ', 'strict ', 'append '])}$${random.some(4, () => random.pick(['.a', '.b', '[0]', '[1]', '."c d"', '.', '[', '.*'])).join('')}'`;

/** A document of JSON, or nearly one. */
function json(random: Random, depth = 0): string {
  const inner = () => json(random, depth + 1);
  if (depth > 3 || random.chance(3))
    return random.pick(['1', '-1.5e3', 'true', 'null', '"x"', '"\\u00e9\\n"', '""', '{}', '[]', 'nul', '1.', '"']);
  if (random.chance(2)) return `[${random.some(4, inner).join(random.pick([',', ', ', ' ']))}]`;
  return `{${random.some(4, () => `"${random.pick(['a', 'b', 'c d', ''])}":${inner()}`).join(',')}}`;
}

/** A call that reads or changes JSON. */
function jsonCall(random: Random, inner: () => string): string {
  const document = random.chance(3) ? inner() : `N'${json(random)}'`;
  const path = random.chance(6) ? inner() : jsonPath(random);
  const name = random.pick(['json_value', 'json_query', 'json_path_exists', 'json_modify']);
  return `${name}(${document}, ${path}${name === 'json_modify' ? `, ${inner()}` : ''})`;
}

/** OPENJSON with or without columns. */
function openJson(random: Random): string {
  const column = () =>
    `${random.pick(['a', 'b', '[c d]', 'id'])} ${random.pick(typeNames)}${random.chance(2) ? ` ${jsonPath(random)}` : ''}${random.chance(4) ? ' as json' : ''}`;
  const columns = random.chance(2) ? ` with (${[column(), ...random.some(3, column)].join(', ')})` : '';
  return `openjson(N'${json(random)}'${random.chance(2) ? `, ${jsonPath(random)}` : ''})${columns} j`;
}

/** A change of rows through common table expressions, a derived table or a view. */
function throughQuery(random: Random): string {
  const list = () =>
    random.pick(['id, a', 'id, a, row_number() over (order by d) n', 'top (2) id, a', '*', 'distinct a']);
  const table = () => random.pick(['#t', 'h', 'v', 'w', '#t x join #t y on x.id = y.id', openJson(random)]);
  const ctes = ['c', 'e', 'f'].slice(0, 1 + random.below(3));
  const listed = ctes.map(
    (name, at) =>
      `${name} as (select ${list()} from ${at === 0 ? table() : (ctes[at - 1] ?? table())}${random.chance(3) ? ` where ${expression(random, 2)} > 1` : ''})`,
  );
  const target = random.pick([...ctes, 'v', 'w']);
  const value = () => expression(random, 2);
  const output = random.pick(['', '', ' output inserted.*', ' output deleted.a, $action']);
  const change = random.pick([
    () =>
      `update ${target} set ${random.pick(['id', 'a', 'n'])} ${random.pick(['=', '+='])} ${value()}${output} where id = ${value()}`,
    () => `delete ${random.chance(3) ? 'top (1) ' : ''}${target}${output}`,
    () => `insert ${target} (id, a)${output} values (${value()}, ${value()})`,
    () =>
      `merge ${target} using #t s on s.id = ${target}.id when matched then ${random.pick(['delete', `update set a = ${value()}`])} when not matched then insert (id, a) values (${value()}, s.a)${output};`,
  ])();
  return `with ${listed.join(', ')} ${change}`;
}

/** An expression of the grammar. */
function expression(random: Random, depth = 0): string {
  if (depth > 3 || random.chance(3)) return random.pick(literals);
  const inner = () => expression(random, depth + 1);
  switch (random.below(10)) {
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
      return `${random.pick(aggregates)}(${random.chance(3) ? 'distinct ' : ''}${inner()})${random.chance(3) ? over(random, inner) : ''}`;
    case 7:
      return random.pick(variables);
    case 8:
      return jsonCall(random, inner);
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
    ' from v join w on v.id = w.x',
    ` from ${openJson(random)}`,
    ` from #t cross apply ${openJson(random)}`,
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
    " for json path, root('r'), include_null_values",
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
    throughQuery,
    (each: Random) => `select ${expression(each)}`,
    (each: Random) => `declare @v ${each.pick(typeNames)} = ${expression(each)} ${spoiled(each)}`,
  ]);
  return make(random);
};

let session: SessionHost | undefined;
let used = 0;

/** What administrators make in tempdb. */
const shared = [
  'use tempdb create table h (id int primary key, a nvarchar(20), d datetime)',
  'insert h values (1, N\'{"a":[1]}\', 0), (2, null, null)',
  'create view v as select id, a from h where id > 0 with check option',
  'create view w (x, y, id, a) as select v.id, z.a, z.id, z.a from v left join h z on v.id = z.id',
];

/** A session with a table; a fresh one now and then, since statements change it, every other of an administrator. */
async function freshSession(): Promise<SessionHost> {
  if (session === undefined || ++used % 200 === 0) {
    // Loaded here: it belongs to node:test, which the other targets do not need.
    const { openSession } = await import('../../support/session.ts');
    await session?.close();
    const isAdministrator = used % 400 === 0;
    session = await openSession({ isAdministrator });
    for (const text of isAdministrator ? shared : []) await batch(session, text);
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
