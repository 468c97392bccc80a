import { int } from '../../../tds/types/index.ts';

/** A mapping of a crawled property to a managed one; its two result sets write the columns differently. */
export const schemaMapping = { pid: int, MappingOrder: int, CrawledPropertyId: int };
export const mappingUpdate = { pid: int, mappingorder: int, crawledPropertyid: int };
