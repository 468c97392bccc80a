import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { getAnchorDocIDs } from './get-anchor-doc-ids.ts';
import { getTopAnchorLinks } from './get-top-anchor-links.ts';
import { anchorRelations } from './relations.ts';
import { updateAnchorDocPropsBlob } from './update-anchor-doc-props-blob.ts';

/** What components read and write of anchors while an anchor crawl runs. */
export const anchors: Area = {
  procedures: [getAnchorDocIDs, getTopAnchorLinks, updateAnchorDocPropsBlob],
  relations: anchorRelations,
  migrations: migrationsIn('search/anchors', new URL('./migrations/', import.meta.url)),
};
