import type { Relation } from '../../../procedure/relations/relation.ts';
import { anchorRelations, unresolvedAnchors } from './relations/anchors.ts';
import { historyRelations } from './relations/history.ts';
import { linkRelations } from './relations/links.ts';
import { crawlDeletions, crawlWork } from './relations/progress.ts';
import { queueRelations } from './relations/queue.ts';
import { socialRelations } from './relations/social.ts';
import { storeRelations } from './relations/store.ts';

/**
 * The sets of a crawl store (3.1.1). The specification names three of the tables; the others have the names of their
 * sets.
 */
export const gatherRelations: readonly Relation[] = [
  ...linkRelations,
  ...queueRelations,
  ...historyRelations,
  ...storeRelations,
  ...anchorRelations,
  ...socialRelations,
  crawlWork,
  crawlDeletions,
  unresolvedAnchors,
];
