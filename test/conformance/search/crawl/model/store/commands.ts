import fc from 'fast-check';
import type { LinkKind, Result } from './model.ts';

/** Crawls whose links come, a delete crawl, and the anchor crawls that follow. */
const crawl = fc.constantFrom(2, 2, 3);
const component = fc.constantFrom(0, 1);
/** Documents that links are found in: often ones that are there. */
const source = fc.constantFrom(1, 1, 2, 50);
const kind = <T extends string>(type: T) => fc.constant(type);

/** What the administration, the master and the components of a crawl store do; few crawls, pages and components, so that they meet. */
export const command = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: kind('bring'),
      crawl,
      url: fc.nat(4),
      kind: fc.constantFrom<LinkKind[]>('page', 'page', 'page', 'page', 'excluded', 'changed', 'deleted', 'last'),
      source,
      text: fc.constantFrom('one', 'one', 'two'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: kind('flush'), crawl, component }) },
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
  { weight: 1, arbitrary: fc.record({ type: kind('incremental'), crawl }) },
  { weight: 1, arbitrary: fc.record({ type: kind('unvisited'), crawl }) },
  { weight: 1, arbitrary: fc.record({ type: kind('left'), crawl: fc.constantFrom(2, 3, 4) }) },
  { weight: 1, arbitrary: fc.record({ type: kind('stop'), crawl }) },
  { weight: 2, arbitrary: fc.record({ type: kind('complete'), crawl }) },
  { weight: 2, arbitrary: fc.record({ type: kind('beginAnchors'), crawl }) },
  { weight: 1, arbitrary: fc.record({ type: kind('completeAnchors'), crawl: fc.constantFrom(8, 9) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
