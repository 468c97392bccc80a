/** The title and the place in a protocol's own order of each specification. */
const titles: Readonly<Record<string, string>> = {
  'MS-TDS': 'the wire protocol',
  'MS-TSSPROC': 'machine translation',
  'MS-WORDSSP': 'document conversion (2010)',
  'MS-WORDSSP2': 'document conversion (2013)',
  'MS-WSSCFGD2': 'configuration',
  'MS-SQLPGAT2': 'search',
};

/** One rule that a test checks. */
interface Rule {
  readonly specification: string;
  readonly section: string;
  readonly text: string;
}

/** The rule in a test's name (`MS-TSSPROC 3.1.5.2: returns 1 when …`), or undefined for a test of something else. */
export function ruleOf(name: string): Rule | undefined {
  const [, specification, section, text] = /^(MS-[A-Z0-9]+) ([\d.]+[\d]): (.+)$/s.exec(name) ?? [];
  if (specification === undefined || section === undefined || text === undefined) return undefined;
  return { specification, section, text: text.trim() };
}

/** docs/conformance.md: the rules that tests check, by specification and section, from the names of tests that passed. */
export function conformancePage(testNames: Iterable<string>): string {
  const rules = [...new Set(testNames)].flatMap((name) => ruleOf(name) ?? []);
  const specifications = [...Map.groupBy(rules, ({ specification }) => specification)];
  specifications.sort(([a], [b]) => rank(a) - rank(b) || compare(a, b));
  return [
    '# Conformance',
    '',
    'What the tests check, section by section. This page is made from the names of the tests that passed (`npm run docs`',
    'after `npm test`), and `npm test` fails when it is out of date: what is tested is what is claimed. Rules of the',
    'SharePoint protocols are checked through a real driver, on SQLite and on PostgreSQL.',
    '',
    '| specification | sections | rules |',
    '|---|--:|--:|',
    ...specifications.map(([name, own]) => `| ${titled(name)} | ${sectionsOf(own).size} | ${own.length} |`),
    ...specifications.flatMap(([name, own]) => ['', `## ${titled(name)}`, ...sections(own)]),
    '',
  ].join('\n');
}

function sections(rules: readonly Rule[]): string[] {
  const bySection = [...Map.groupBy(rules, ({ section }) => section)];
  bySection.sort(([a], [b]) => compareSections(a, b));
  return bySection.flatMap(([section, own]) => {
    const texts = [...new Set(own.map(({ text }) => text))].sort(compare);
    return ['', `### ${section}`, '', ...texts.map((text) => `- ${text.replaceAll('\n', ' ')}`)];
  });
}

function sectionsOf(rules: readonly Rule[]): Set<string> {
  return new Set(rules.map(({ section }) => section));
}

function titled(specification: string): string {
  const title = titles[specification];
  return title === undefined ? specification : `${specification}: ${title}`;
}

function rank(specification: string): number {
  const place = Object.keys(titles).indexOf(specification);
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}

/** 3.1.5.10 comes after 3.1.5.9. */
function compareSections(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  const first = left.findIndex((number, i) => number !== right[i]);
  return first < 0 ? left.length - right.length : (left[first] ?? 0) - (right[first] ?? -1);
}

/** By code unit, so that every machine sorts alike. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
