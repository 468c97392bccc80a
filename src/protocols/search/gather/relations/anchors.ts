import { identifier, sql } from '../../../../engine/sql.ts';
import { orNull } from '../../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { bigint, int, nvarchar } from '../../../../tds/types/index.ts';

const url = nvarchar(1500);

/**
 * Anchors whose links lead to no document, which the index of those alone finds by their hash: for people who ask why.
 */
export const unresolvedAnchors: Relation = relation({
  name: 'UnresolvedAnchors',
  type: 'view',
  from: sql`anchor_text`,
  where: sql`(target_doc_id is null or target_doc_id = -1)`,
  primaryKey: ['LinkID'],
  columns: {
    LinkID: stored(bigint, 'link_id'),
    SourceDocID: stored(orNull(int), 'source_doc_id'),
    Link: stored(orNull(url), 'link', { key: 'link_key' }),
    LinkHash: stored(orNull(int), 'link_hash'),
    AnchorText: stored(orNull(url), 'anchor_text', { key: 'anchor_key' }),
  },
});

const changed = (name: string, table: string): Relation =>
  relation({
    name,
    from: identifier(table),
    primaryKey: ['CrawlID', 'DocID'],
    columns: { CrawlID: stored(int, 'crawl_id'), DocID: stored(int, 'doc_id') },
  });

/** Anchors and what has changed of them (3.1.1.8, 14, 15, 20 to 23). */
export const anchorRelations: readonly Relation[] = [
  relation({
    name: 'AnchorTextInfo',
    from: sql`anchor_text`,
    primaryKey: ['LinkID'],
    columns: {
      LinkID: stored(bigint, 'link_id'),
      SourceDocID: stored(orNull(int), 'source_doc_id'),
      TargetDocID: stored(orNull(int), 'target_doc_id'),
      Link: stored(orNull(url), 'link', { key: 'link_key' }),
      LinkHash: stored(orNull(int), 'link_hash'),
      AnchorText: stored(orNull(url), 'anchor_text', { key: 'anchor_key' }),
      AnchorHash: stored(orNull(int), 'anchor_hash'),
      CrawlID: stored(int, 'crawl_id'),
      LinkOrdinal: stored(orNull(int), 'link_ordinal'),
      InterSite: stored(orNull(int), 'inter_site'),
      LCID: stored(orNull(int), 'lcid'),
      Pid: stored(orNull(int), 'pid'),
      SourceDocSiteID: stored(orNull(int), 'source_doc_site_id'),
    },
  }),
  relation({
    name: 'AnchorChange',
    from: sql`anchor_changes`,
    primaryKey: ['CrawlID', 'TargetDocID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      TargetDocID: stored(int, 'target_doc_id'),
      ChangeType: stored(int, 'change_type'),
    },
  }),
  relation({
    name: 'PendingAnchorChange',
    from: sql`pending_anchor_changes`,
    primaryKey: ['CrawlID', 'TargetDocID'],
    columns: {
      CrawlID: stored(int, 'crawl_id'),
      TargetDocID: stored(int, 'target_doc_id'),
    },
  }),
  changed('ChangedAnchorTargetDocuments', 'changed_targets'),
  changed('ChangedAnchorSourceDocuments', 'changed_sources'),
  changed('ChangedAnchorCommittedDocuments', 'changed_committed'),
  changed('ChangedAnchorDeletedDocuments', 'changed_deleted'),
];
