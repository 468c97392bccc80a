import fc from 'fast-check';

const kind = <T extends string>(type: T) => fc.constant(type);
/** Crawls are numbered from 2 on; the last of these are often not there. */
const crawl = fc.constantFrom(2, 2, 3, 3, 4, 5);
const component = fc.constantFrom(0, 1, 2, 7);
const store = fc.constantFrom(0, 1);

/** Each stage of proc_MSS_CrawlAdmin, and how often: those that a crawl goes through come more often than those that end all. */
const stages: Readonly<Record<number, number>> = {
  ...Object.fromEntries([94, 95, 96, 97, 98, 102, 103, 104, 105, 110, 111, 112, 113, 114].map((stage) => [stage, 3])),
  ...Object.fromEntries([120, 121, 122, 123, 130, 131, 132, 133, 142, 143, 144, 146, 147].map((stage) => [stage, 3])),
  ...Object.fromEntries([150, 152, 160, 161, 162, 164, 165].map((stage) => [stage, 2])),
  91: 1,
  100: 8,
  106: 6,
  108: 8,
  140: 8,
  148: 4,
};

const misc: Readonly<Record<number, fc.Arbitrary<number>>> = {
  96: fc.nat(6),
  98: fc.constantFrom(0, 1, 1, 4, 5),
  108: fc.constantFrom(0, 0, 1, 1, 7),
  162: component,
  165: component,
};

const stage = fc
  .oneof(...Object.entries(stages).map(([number, weight]) => ({ weight, arbitrary: fc.constant(Number(number)) })))
  .chain((number) =>
    fc.record({
      type: kind('stage'),
      stage: fc.constant(number),
      component,
      project: fc.constantFrom(1, 1, 2),
      crawlType: fc.constantFrom(1, 2, 3),
      crawl,
      source: fc.constantFrom(1, 2),
      misc: misc[number] ?? fc.nat(3),
    }),
  );

/** What the administration, the master and the components do to the administration database. */
export const adminCommand = fc.oneof(
  { weight: 20, arbitrary: stage },
  { weight: 2, arbitrary: fc.record({ type: kind('hear'), project: fc.constantFrom(1, 2), component }) },
  { weight: 1, arbitrary: fc.record({ type: kind('hearAll'), project: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ type: kind('count'), crawl, component, source: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ type: kind('joinAll'), store }) },
  { weight: 1, arbitrary: fc.record({ type: kind('leaveAll'), store }) },
);
export type AdminCommand = typeof adminCommand extends fc.Arbitrary<infer T> ? T : never;
