import fc from 'fast-check';
import type { Result } from './model.ts';

const crawl = fc.constantFrom(2, 2, 3);
const component = fc.constantFrom(0, 1);
const kind = <T extends string>(type: T) => fc.constant(type);

/** What the administration, the master and the components of a crawl store do; few crawls, pages and components, so that they meet. */
export const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: kind('bring'),
      crawl,
      url: fc.nat(5),
      isExcluded: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: kind('flush'), crawl, component }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: kind('batch'), crawl: fc.constantFrom(2, 3, 4), component, size: fc.nat(3) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      type: kind('commit'),
      component,
      which: fc.nat(5),
      result: fc.constantFrom<Result[]>('success', 'success', 'error', 'retry', 'delete'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: kind('unload'), batch: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ type: kind('kill'), component }) },
  { weight: 2, arbitrary: fc.record({ type: kind('revive'), component }) },
  { weight: 1, arbitrary: fc.record({ type: kind('deleteCrawl') }) },
  { weight: 1, arbitrary: fc.record({ type: kind('unvisited'), crawl }) },
  { weight: 1, arbitrary: fc.record({ type: kind('left'), crawl: fc.constantFrom(2, 3, 4) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
