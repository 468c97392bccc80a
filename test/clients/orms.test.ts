import { type MatrixCheck, testProgram } from './matrix.ts';
import { type MapperId, mapperChecks, mapperPackages, mappers } from './orms/mappers.ts';

const facts: Readonly<Record<keyof typeof mapperChecks, MatrixCheck['facts']>> = {
  models: {
    first: 1,
    books: [
      ['Grain', 1.5, false],
      ['Ähre', 2.25, true],
    ],
  },
  reflection: {
    there: [true, true],
    own: ['id', 'price', 'sold', 'title'],
    protocol: ['CrawlID', 'LinkID', 'Pid', 'SourceDocID', 'SourceUserID', 'TargetUserID'],
  },
  raw: { rows: [{ a: 7, b: 'ü' }] },
  procedures: { output: 42, code: 0 },
  transactions: { count: 3 },
};

const checks = Object.fromEntries(
  Object.entries(mapperChecks).map(([check, rule]) => [
    check,
    { rule, facts: facts[check as keyof typeof mapperChecks] },
  ]),
);

for (const id of Object.keys(mappers) as MapperId[]) {
  const { command, environment } = mappers[id];
  testProgram(mapperPackages[id], command, environment, checks);
}
