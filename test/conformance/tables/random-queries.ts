import fc, { type Arbitrary } from 'fast-check';
import type { Frame, Picture } from './gallery.ts';

const texts = [
  'a',
  'A',
  'a ',
  ' a',
  'ä',
  'Ä',
  'b',
  'B b',
  '',
  ' ',
  'ab',
  'AB',
  'abc',
  'ß',
  'ss',
  'K',
  'k',
  'Σς',
  'σσ',
  '100%',
  'a_b',
  "o'k",
];
const moments = [0, 3, 7, 10, 13, 1000, 86_400_000, -86_400_000].map((more) => new Date(Date.UTC(2024, 1, 29) + more));
const guids = [
  '00000000-0000-0000-0000-000000000000',
  '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  '6f9619ff-8b86-d011-b42d-00c04fc96400',
  'ffffffff-0000-0000-0000-000000000001',
];
const wholes = [-2147483648, -2, -1, 0, 1, 2, 3, 5, 2147483647];
const bigs = [0n, 1n, 3n, 9007199254740993n, -9223372036854775808n, 9223372036854775807n, -5n];
const small = [-32768, -1, 0, 1, 2, 3, 32767];
const floats = [0, 0.1, 1, 2.5, -5.5, 1e300];

const of = <T>(values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);
const orNull = <T>(values: readonly T[]): Arbitrary<T | null> => fc.option(of(values), { nil: null, freq: 4 });

export const pictures: Arbitrary<readonly Picture[]> = fc.array(
  fc.record({
    n: orNull(wholes),
    big: of(bigs),
    small: orNull(small),
    flag: orNull([true, false]),
    at: orNull(moments),
    owner: orNull(guids),
    name: orNull(texts),
    note: of(texts),
    ratio: orNull(floats),
  }),
  { maxLength: 12 },
);

export const frames: Arbitrary<readonly Frame[]> = fc.array(
  fc.record({
    picture: orNull([1, 2, 3, 4, 5, 6]),
    m: orNull(wholes),
    code: of(texts),
    day: of(moments),
    shown: fc.boolean(),
  }),
  { maxLength: 10 },
);

/** Columns by what they may be compared with. */
const columns = {
  p: {
    whole: ['Id', 'N', 'Big', 'Small'],
    bit: ['Flag'],
    moment: ['At'],
    guid: ['Owner'],
    text: ['Name', 'Note'],
    float: ['Ratio'],
  },
  f: { whole: ['Id', 'PictureId', 'M'], bit: [], moment: ['Day'], guid: [], text: ['Code'], float: [] },
  g: { whole: ['Id', 'PictureId', 'M'], bit: [], moment: ['Day'], guid: [], text: ['Code'], float: [] },
} as const;
type Alias = keyof typeof columns;
type Family = keyof (typeof columns)['p'];

const quoted = (text: string): string => `N'${text.replaceAll("'", "''")}'`;
const shown = (moment: Date): string => moment.toISOString().replace('Z', '');

const constants: Readonly<Record<Family, Arbitrary<string>>> = {
  whole: fc.oneof(
    of(wholes).map(String),
    of(bigs).map((big) => `cast('${big}' as bigint)`),
    of(['@whole', 'null', "'2'", '1 + 1', '(select max(x.M) from Frames x)', 'cast(null as decimal(9, 2))']),
    of(['1.5', '-0.5', '-2.0', '3.0', '@exact', '2147483647.5', '9223372036854775806.5', '99999999999999999999999.5']),
    of(['1e0', '2.5e0', '-1.5e0', '@float', '1e30', 'cast(2.5 as real)']),
  ),
  bit: of(['0', '1', '@bit', "'true'", 'null', '2', '0.5', '1.0', '0.5e0']),
  moment: fc.oneof(
    of(moments).map((moment) => `'${shown(moment)}'`),
    of(moments).map((moment) => `cast('${shown(moment)}' as smalldatetime)`),
    fc
      .tuple(of(moments), of(['', '(7)', '(3)', '(2)', '(0)']))
      .map(([moment, scale]) => `cast('${shown(moment)}' as datetime2${scale})`),
    of(moments).map((moment) => `cast('${shown(moment)}4567' as datetime2)`),
    of(moments).map((moment) => `cast('${shown(moment)} +00:00' as datetimeoffset)`),
    of(['@moment', "'20240229'", 'dateadd(ms, 3, @moment)', '@finer', "cast('20240229' as date)", 'null']),
    of(["cast('0001-01-01' as datetime2)", "cast('9999-12-31T23:59:59.9999999' as datetime2)"]),
  ),
  guid: fc.oneof(
    of(guids).map((guid) => `'${guid.toUpperCase()}'`),
    of(['@guid', 'cast(@guid as nvarchar(40))']),
  ),
  text: fc.oneof(
    of(texts).map(quoted),
    of(['@text', "'a'", "N'a' + N' '", 'null', "N'a' collate Latin1_General_BIN", "N'A' collate Latin1_General_CS_AS"]),
  ),
  float: fc.oneof(
    of(floats).map((float) => `${float}e0`),
    of(['1', '@whole', '2.5']),
  ),
};

const columnOf = (aliases: readonly Alias[]): Arbitrary<{ name: string; family: Family }> =>
  of(
    aliases.flatMap((alias) =>
      Object.entries(columns[alias]).flatMap(([family, names]) =>
        // The keys of the table above are the families.
        names.map((name: string) => ({ name: `${alias}.${name}`, family: family as Family })),
      ),
    ),
  );

const operator = of(['=', '<>', '<', '<=', '>', '>=']);

function comparison(aliases: readonly Alias[]): Arbitrary<string> {
  return columnOf(aliases).chain(({ name, family }) => {
    const constant = constants[family];
    const other = fc.oneof({ weight: 3, arbitrary: constant }, { weight: 1, arbitrary: sameFamily(aliases, family) });
    return fc.oneof(
      { weight: 4, arbitrary: fc.tuple(operator, other).map(([sign, right]) => `${name} ${sign} ${right}`) },
      { weight: 1, arbitrary: fc.tuple(operator, constant).map(([sign, left]) => `${left} ${sign} ${name}`) },
      fc.tuple(constant, constant).map(([low, high]) => `${name} between ${low} and ${high}`),
      fc
        .tuple(fc.boolean(), fc.array(constant, { minLength: 1, maxLength: 4 }))
        .map(([not, list]) => `${name} ${not ? 'not ' : ''}in (${list.join(', ')})`),
      fc.boolean().map((not) => `${name} is ${not ? 'not ' : ''}null`),
      ...(family === 'text'
        ? [
            of(['a%', 'A%', 'ab%', '%b', 'a_%', 'Ä%', 'a %', '[ab]%', '']).map(
              (pattern) => `${name} like N'${pattern}'`,
            ),
          ]
        : []),
    );
  });
}

const sameFamily = (aliases: readonly Alias[], family: Family): Arbitrary<string> =>
  of(aliases.flatMap((alias) => columns[alias][family].map((name: string) => `${alias}.${name}`)));

/** A condition on rows of these tables. */
function condition(aliases: readonly Alias[], depth = 2): Arbitrary<string> {
  const simple = comparison(aliases);
  if (depth === 0) return simple;
  const inner = condition(aliases, depth - 1);
  const nested = aliases.length === 1 && aliases[0] === 'p' ? subqueries(depth) : innerSubqueries(aliases);
  return fc.oneof(
    { weight: 5, arbitrary: simple },
    { weight: 2, arbitrary: fc.tuple(inner, of(['and', 'or']), inner).map(([a, word, b]) => `(${a} ${word} ${b})`) },
    { weight: 1, arbitrary: inner.map((each) => `not (${each})`) },
    ...nested.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

function subqueries(depth: number): Arbitrary<string>[] {
  const inside = fc.oneof(condition(['f'], depth - 1), condition(['p', 'f'], 0));
  const not = of(['', 'not ']);
  return [
    fc
      .tuple(not, inside)
      .map(([no, each]) => `${no}exists (select * from Frames f where f.PictureId = p.Id and ${each})`),
    fc.tuple(not, inside).map(([no, each]) => `p.Id ${no}in (select f.PictureId from Frames f where ${each})`),
    fc.tuple(of(['N', 'Small', 'Big']), not).map(([name, no]) => `p.${name} ${no}in (select M from Frames)`),
    fc.tuple(of(['Name', 'Note']), not).map(([name, no]) => `p.${name} ${no}in (select f.Code from Frames f)`),
    inside.map((each) => `p.N <= (select max(f.M) from Frames f where f.PictureId = p.Id and ${each})`),
  ];
}

/** Subqueries inside of one, or over a join. */
function innerSubqueries(aliases: readonly Alias[]): Arbitrary<string>[] {
  if (!aliases.includes('f')) return [];
  const not = of(['', 'not ']);
  const inside = comparison(['g']);
  return [
    fc.tuple(not, inside).map(([no, each]) => `${no}exists (select 1 from Frames g where g.M = f.M and ${each})`),
    fc.tuple(not, inside).map(([no, each]) => `f.PictureId ${no}in (select g.Id from Frames g where ${each})`),
    not.map((no) => `f.Code ${no}in (select q.Name from Pictures q left join Frames g on g.PictureId = q.Id)`),
    not.map((no) => `f.M ${no}in (select q.Big from Pictures q where q.Id = f.PictureId)`),
  ];
}

const where = (aliases: readonly Alias[]): Arbitrary<string> =>
  fc.array(condition(aliases), { maxLength: 3 }).map((all) => (all.length === 0 ? '' : ` where ${all.join(' and ')}`));

/** A query, and how much of the order of its rows is settled. */
export interface RandomQuery {
  readonly text: string;
  /** True when ORDER BY settles where every row stands. */
  readonly isOrdered: boolean;
  /** True when of texts that are equal for the collation any may stand for all of them. */
  readonly mayChoose?: boolean;
}

const direction = of(['', ' desc']);
const allNames = (aliases: readonly Alias[]): string[] =>
  aliases.flatMap((alias) =>
    Object.values(columns[alias]).flatMap((names) => names.map((name: string) => `${alias}.${name}`)),
  );

const ons = {
  f: ['f.PictureId = p.Id', 'f.M = p.N', 'f.Code = p.Name', 'f.Day = p.At', 'f.Code = p.Note', 'f.M = p.Small'],
  g: ['g.PictureId = p.Id', 'g.M = f.M', 'g.Code = f.Code', 'g.Id = f.PictureId and g.Code = p.Name'],
} as const;
const joinKinds = of(['join', 'left join', 'right join', 'full join']);

/** Three tables, joined one after another or two of them first. */
const threeTables = fc
  .tuple(joinKinds, joinKinds, of(ons.f), of(ons.g), fc.boolean(), fc.option(comparison(['p', 'f', 'g'])))
  .map(([first, second, on, other, isInner, more]) => {
    const last = more === null ? '' : ` and ${more}`;
    const text = isInner
      ? `Pictures p ${second} (Frames f ${first} Frames g on g.M = f.M) on ${on}${last}`
      : `Pictures p ${first} Frames f on ${on} ${second} Frames g on ${other}${last}`;
    return { aliases: ['p', 'f', 'g'] as const, text };
  });

const from: Arbitrary<{ aliases: readonly Alias[]; text: string }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ aliases: ['p' as const], text: 'Pictures p' }) },
  { weight: 1, arbitrary: fc.constant({ aliases: ['f' as const], text: 'Frames f' }) },
  {
    weight: 3,
    arbitrary: fc.tuple(joinKinds, of(ons.f), fc.option(comparison(['p', 'f']))).map(([join, on, more]) => ({
      aliases: ['p', 'f'] as const,
      text: `Pictures p ${join} Frames f on ${on}${more === null ? '' : ` and ${more}`}`,
    })),
  },
  { weight: 1, arbitrary: fc.constant({ aliases: ['p', 'f'] as const, text: 'Pictures p, Frames f' }) },
  { weight: 1, arbitrary: threeTables },
);

const plain: Arbitrary<RandomQuery> = from.chain(({ aliases, text }) =>
  fc
    .record({
      items: fc.subarray(
        [...allNames(aliases), 'p.N + 1', '10 / p.Small'].filter(
          (name) => aliases.includes('p') || !name.includes('p.'),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      distinct: fc.boolean(),
      tests: where(aliases),
      sort: fc.option(fc.tuple(of(allNames(aliases)), direction)),
      limit: of(['', 'top', 'offset']),
      count: fc.nat({ max: 5 }),
    })
    .map(({ items, distinct, tests, sort, limit, count }) => {
      const ids = aliases.map((alias) => `${alias}.Id`);
      const listed = distinct || sort === null ? items : [...new Set([...items, ...ids])];
      const names = listed.map((item, at) => `${item} as c${at}`).join(', ');
      if (distinct) {
        // Sorted by all that tells rows apart, each has its place; rows of equal texts are one.
        const all = listed.map((_, at) => `c${at}`).join(', ');
        const order = sort === null ? '' : ` order by ${all}`;
        const top = sort !== null && limit === 'top' ? `top ${count} ` : '';
        const offset = sort !== null && limit === 'offset' ? ` offset ${count} rows fetch next 2 rows only` : '';
        return {
          text: `select distinct ${top}${names} from ${text}${tests}${order}${offset}`,
          isOrdered: sort !== null,
          mayChoose: true,
        };
      }
      if (sort === null) return { text: `select ${names} from ${text}${tests}`, isOrdered: false };
      const order = ` order by ${sort.join('')}${ids
        .filter((id) => id !== sort[0])
        .map((id) => `, ${id}`)
        .join('')}`;
      const top = limit === 'top' ? `top ${count} ` : '';
      const offset = limit === 'offset' ? ` offset ${count} rows fetch next 2 rows only` : '';
      return { text: `select ${top}${names} from ${text}${tests}${order}${offset}`, isOrdered: true };
    }),
);

const aggregates = (aliases: readonly Alias[]): Arbitrary<string> =>
  fc.oneof(
    fc.constant('count(*)'),
    of(allNames(aliases)).map((name) => `count(${name})`),
    of(allNames(aliases)).map((name) => `count_big(distinct ${name})`),
    fc
      .tuple(of(['min', 'max']), of(allNames(aliases).filter((name) => !name.endsWith('Flag'))))
      .map(([call, name]) => `${call}(${name})`),
    fc
      .tuple(of(['sum', 'avg']), of(allNames(aliases).filter((name) => /\.(?:Id|N|Big|Small|M|PictureId)$/.test(name))))
      .map(([call, name]) => `${call}(${name})`),
  );

const grouped: Arbitrary<RandomQuery> = from.chain(({ aliases, text }) =>
  fc
    .record({
      keys: fc.subarray(allNames(aliases), { maxLength: 2 }),
      calls: fc.array(aggregates(aliases), { minLength: 1, maxLength: 3 }),
      tests: where(aliases),
      having: fc.option(of(['count(*) > 1', 'max(Id) > 2'])),
    })
    .map(({ keys, calls, tests, having }) => {
      const names = [...keys, ...calls].map((item, at) => `${item} as c${at}`).join(', ');
      const group = keys.length === 0 ? '' : ` group by ${keys.join(', ')}`;
      const only = having === null ? '' : ` having ${having.replace('Id', `${aliases[0]}.Id`)}`;
      return { text: `select ${names} from ${text}${tests}${group}${only}`, isOrdered: false, mayChoose: true };
    }),
);

/** The first rows by a column alone: rows that stand alike look alike. */
const sorted: Arbitrary<RandomQuery> = from.chain(({ aliases, text }) =>
  fc
    .record({
      name: of(allNames(aliases)),
      way: direction,
      tests: where(aliases),
      limit: of(['', 'top 1 ', 'top 3 ', 'top 2 with ties ', 'top 50 percent ', 'top (@whole) ', 'offset']),
    })
    .map(({ name, way, tests, limit }) => {
      const isOffset = limit === 'offset';
      const bound = isOffset ? ' offset 2 rows fetch next 3 rows only' : '';
      return {
        text: `select ${isOffset ? '' : limit}${name} as c0 from ${text}${tests} order by ${name}${way}${bound}`,
        isOrdered: true,
        mayChoose: true,
      };
    }),
);

export const queries: Arbitrary<RandomQuery> = fc.oneof(
  { weight: 3, arbitrary: plain },
  { weight: 2, arbitrary: grouped },
  { weight: 1, arbitrary: sorted },
);

/** What the variables in the queries are. */
export const declarations = `declare @whole int = 2, @bit bit = 1, @moment datetime = '2024-02-29T00:00:00.003',
  @guid uniqueidentifier = '${guids[1]}', @text nvarchar(20) = N'A', @exact decimal(9, 2) = 2.5, @float float = 2,
  @finer datetime2 = '2024-02-29T00:00:00.0031'; `;
