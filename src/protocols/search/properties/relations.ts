import { sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { bigint, binary, image, int, nvarchar, smallint, tinyint, varbinary } from '../../../tds/types/index.ts';

const docId = stored(int, 'doc_id');
const text = orNull(nvarchar('max'));

/** The tables of the property store (MS-SQLPQ2 2.2.5), and the sets of 3.1.1.40 and 3.1.1.42. */
export const propertyRelations: readonly Relation[] = [
  relation({
    name: 'MSSDocProps',
    from: sql`doc_props`,
    primaryKey: ['DocId', 'Pid', 'llVal'],
    columns: {
      DocId: docId,
      Pid: stored(int, 'pid'),
      llVal: stored(bigint, 'll_val'),
      strVal: stored(orNull(nvarchar(450)), 'str_val'),
      strVal2: stored(text, 'str_val2'),
    },
  }),
  relation({
    name: 'MSSDocResults',
    from: sql`doc_results`,
    primaryKey: ['DocId'],
    columns: {
      DocId: docId,
      summaryBlobSize: stored(orNull(int), 'summary_blob_size'),
      size: stored(orNull(bigint), 'size'),
      lastModified: stored(orNull(bigint), 'last_modified'),
      isDocument: stored(orNull(tinyint), 'is_document'),
      isPictureUrl: stored(orNull(tinyint), 'is_picture_url'),
      author: stored(text, 'author'),
      title: stored(text, 'title'),
      url: stored(text, 'url'),
      pictureThumbnailUrl: stored(text, 'picture_thumbnail_url'),
      contentClass: stored(text, 'content_class'),
      fileExtension: stored(text, 'file_extension'),
      tags: stored(text, 'tags'),
      propertyBlob: stored(orNull(varbinary('max')), 'property_blob'),
      siteName: stored(text, 'site_name'),
      description: stored(text, 'description'),
      popularSocialTags: stored(text, 'popular_social_tags'),
      numberOfMembers: stored(orNull(int), 'number_of_members'),
      pictureHeightAndWidth: stored(orNull(bigint), 'picture_height_and_width'),
      displayDate: stored(orNull(bigint), 'display_date'),
    },
  }),
  relation({
    name: 'MSSDocSdIds',
    from: sql`doc_sd_ids`,
    primaryKey: ['DocId'],
    columns: {
      DocId: docId,
      sdid: stored(int, 'sdid'),
      type: stored(smallint, 'type'),
      hasPluggableSecurity: stored(smallint, 'has_pluggable_security'),
      duplicateHashes: stored(orNull(binary(48)), 'duplicate_hashes'),
    },
  }),
  relation({
    name: 'Definitions',
    from: sql`definitions`,
    columns: {
      DocId: docId,
      Term: stored(text, 'term'),
      Sentence: stored(text, 'sentence'),
      TermOffset: stored(int, 'term_offset'),
      IsAcronym: stored(int, 'is_acronym'),
    },
  }),
  relation({
    name: 'SecurityDescriptors',
    from: sql`security_descriptors`,
    primaryKey: ['SDID'],
    columns: {
      SDID: stored(int, 'sdid'),
      sdCheckSum: stored(int, 'checksum'),
      type: stored(int, 'type'),
      SD: stored(image, 'descriptor'),
    },
  }),
  relation({
    name: 'AlertHistory',
    from: sql`alert_history`,
    primaryKey: ['UrlSignature'],
    columns: {
      UrlSignature: stored(bigint, 'url_signature'),
      DocId: docId,
      SchemaSignature: stored(int, 'schema_signature'),
      ContentSignature: stored(bigint, 'content_signature'),
      FirstTime: stored(bigint, 'first_time'),
      ChangeTime: stored(bigint, 'change_time'),
    },
  }),
  relation({
    name: 'MetadataStoreCrawlComponents',
    from: sql`metadata_components`,
    primaryKey: ['ComponentID'],
    columns: {
      ComponentID: stored(int, 'component_id'),
      Status: stored(int, 'status'),
      ModifiedByComponentID: stored(int, 'modified_by'),
    },
  }),
];
