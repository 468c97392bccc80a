import { anchors } from '../anchors/area.ts';
import { annotations } from '../annotations/area.ts';
import { searchKind } from '../area.ts';
import { gather } from '../gather/area.ts';

/** The areas of a crawl store. */
export const crawlAreas = [gather, anchors, annotations];

/** A crawl store, of which a farm has up to four (MS-SQLPGAT2). */
export const searchCrawl = searchKind({ name: 'search-crawl', firstDatabase: 'Search_CrawlStore', areas: crawlAreas });
