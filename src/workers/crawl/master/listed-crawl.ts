import type { CallResult } from '../../../procedure/declare.ts';
import type { getCrawls } from '../../../protocols/search/crawls/get-crawls.ts';

type Listed = CallResult<(typeof getCrawls)['params'], (typeof getCrawls)['outcomes']>;

/** A crawl that the master has to act on. */
export type ListedCrawl = Listed['sets']['crawls'][number] & { readonly project: number };
