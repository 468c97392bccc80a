import { identifier, sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { bigint, int } from '../../../../tds/types/index.ts';

const links = (name: string, table: string): Relation =>
  relation({
    name,
    from: identifier(table),
    primaryKey: ['CrawlID', 'SourceDocID', 'TargetUserID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      SourceDocID: stored(int, 'source_doc_id'),
      TargetUserID: stored(bigint, 'target_user_id'),
    },
  });

/** Social distance (3.1.1.11 to 13, 43) and documents of users (3.1.1.24). */
export const socialRelations: readonly Relation[] = [
  relation({
    name: 'SocialDistanceProperty',
    from: sql`social_distance`,
    primaryKey: ['SourceDocID', 'TargetUserID'],
    columns: {
      SourceDocID: stored(int, 'source_doc_id'),
      SourceUserID: stored(orNull(bigint), 'source_user_id'),
      TargetDocID: stored(orNull(int), 'target_doc_id'),
      TargetUserID: stored(bigint, 'target_user_id'),
      Pid: stored(int, 'pid'),
    },
  }),
  relation({
    name: 'UserIDDocIDPair',
    from: sql`user_documents`,
    primaryKey: ['UserID'],
    columns: {
      UserID: stored(bigint, 'user_id'),
      DocID: stored(int, 'doc_id'),
    },
  }),
  links('SocialDistanceDeletedProperty', 'social_deleted'),
  links('SocialDistanceNewProperty', 'social_new'),
  links('SocialDistanceUnchangedProperty', 'social_unchanged'),
];
