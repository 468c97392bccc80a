import type { Db } from '../../../../engine/db.ts';
import { sql, table } from '../../../../engine/sql.ts';
import { lastOfEach } from '../../records/index.ts';
import type { Changes } from './changes.ts';

type Result = Changes['results'][number];

/** The columns of doc_results and the fields of the records that they hold. */
const columns: readonly (readonly [column: string, field: keyof Result])[] = [
  ['doc_id', 'DocId'],
  ['summary_blob_size', 'summaryBlobSize'],
  ['size', 'size'],
  ['last_modified', 'lastModified'],
  ['is_document', 'isDocument'],
  ['is_picture_url', 'isPictureUrl'],
  ['author', 'author'],
  ['title', 'title'],
  ['url', 'url'],
  ['picture_thumbnail_url', 'pictureThumbnailUrl'],
  ['content_class', 'contentClass'],
  ['file_extension', 'fileExtension'],
  ['tags', 'tags'],
  ['property_blob', 'propertyBlob'],
  ['site_name', 'siteName'],
  ['description', 'description'],
  ['number_of_members', 'numberOfMembers'],
  ['picture_height_and_width', 'pictureHeightAndWidth'],
  ['display_date', 'displayDate'],
];

/** Sets what result pages show of documents; their social tags stay. */
export async function putResults(db: Db, results: Changes['results']): Promise<void> {
  const last = lastOfEach(results, ({ DocId }) => DocId);
  await db.insert(
    'doc_results',
    columns.map(([column]) => column),
    last.map((result) => columns.map(([, field]) => result[field])),
    ['doc_id'],
  );
}

/** Sets the social tags of documents that there are results of. */
export async function putSocialTags(db: Db, socialTags: Changes['socialTags']): Promise<void> {
  if (socialTags.length === 0) return;
  const last = lastOfEach(socialTags, ({ DocId }) => DocId);
  const given = table(
    { doc_id: 'bigint', tags: 'text' },
    last.map(({ DocId, popularSocialTags }) => [DocId, popularSocialTags]),
  );
  await db.run(sql`
    update doc_results set popular_social_tags = g.tags from ${given} g where doc_results.doc_id = g.doc_id`);
}
