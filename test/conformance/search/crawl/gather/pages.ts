import type { Store } from '../farm.ts';

/** The URL of a page. */
export const page = (name: string) => `http://host/${name}`;

/** Documents as an earlier crawl left them. */
export async function crawled(
  store: Store,
  names: readonly string[],
  link: object = {},
  result: object = {},
): Promise<void> {
  await store.bring(...names.map((name) => ({ CrawlID: 2, AccessURL: page(name), ...link })));
  await store.flush(2);
  await store.commit((await store.batch(2, { size: 1000 })).items, result);
}
