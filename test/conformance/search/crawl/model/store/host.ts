import type { Bindable } from '../../../../../../src/base/stored.ts';
import { fold } from '../../../../../../src/base/text/collation.ts';
import { type Sql, sql } from '../../../../../../src/engine/sql.ts';
import { isStored } from '../../../../../../src/procedure/relations/relation.ts';
import { linkRelations } from '../../../../../../src/protocols/search/gather/relations/links.ts';
import { number, text } from '../../../../../../src/protocols/search/gather/values.ts';
import { type TestLink, wholeLink } from '../../link.ts';
import { Host } from '../host.ts';
import { byNumbers } from './anchors.ts';

const links = linkRelations.find(({ name }) => name === 'MSSTranTempTable0');
const changedSets = {
  targets: sql`changed_targets`,
  sources: sql`changed_sources`,
  committed: sql`changed_committed`,
  deleted: sql`changed_deleted`,
};

/** A crawl store inside one transaction. */
export class StoreHost extends Host {
  /** Puts a link where clients put it. */
  async bring(link: TestLink): Promise<void> {
    if (links === undefined || !isStored(links)) throw new Error('there are no links');
    const row: Record<string, Bindable> = {};
    for (const [name, value] of Object.entries(wholeLink(link))) {
      const { column, keyColumn } = links.stored[name] ?? {};
      if (column !== undefined) row[column] = value;
      if (keyColumn !== undefined) row[keyColumn] = typeof value === 'string' ? fold(value) : null;
    }
    await this.transaction.run((db) => db.insert('crawl_links', Object.keys(row), [Object.values(row)]));
  }

  /** All that the model knows too. */
  state() {
    return this.transaction.run(async (db) => ({
      documents: await db.all(
        {
          id: number,
          url: text,
          crawl: number,
          committed: number,
          isDeleted: number,
          errors: number,
          retries: number,
          flags: number,
          level: number,
          usesLog: number,
        },
        sql`
          select doc_id as "id", access_url as "url", crawl_id as "crawl", commit_crawl_id as "committed",
            delete_pending as "isDeleted", error_count as "errors", retry as "retries", transaction_flags as "flags",
            error_level as "level", use_change_log as "usesLog"
          from crawl_history order by doc_id`,
      ),
      items: await db.all(
        {
          crawl: number,
          doc: number,
          type: number,
          scope: number,
          flags: number,
          batch: number,
          component: { orNull: number },
          reason: { orNull: number },
        },
        sql`
          select crawl_id as "crawl", doc_id as "doc", transaction_type as "type", scope as "scope",
            transaction_flags as "flags", batch_id as "batch", component_id as "component", delete_reason as "reason"
          from crawl_queue order by seq_id`,
      ),
      links: await db.all(
        { crawl: number, url: text },
        sql`select crawl_id as "crawl", access_url as "url" from crawl_links order by link_id`,
      ),
      deletedUrls: await db.all({ url: text }, sql`select access_url as "url" from deleted_urls order by access_url`),
      freeIds: await db.all({ id: number }, sql`select doc_id as "id" from free_doc_ids order by doc_id`),
    }));
  }

  /** What the model knows of anchors too. */
  async anchors() {
    const sets: Record<string, number[][]> = {};
    for (const [name, set] of Object.entries(changedSets)) sets[name] = await this.#pairs(sql`doc_id`, set);
    return {
      ...sets,
      pending: await this.#pairs(sql`target_doc_id`, sql`pending_anchor_changes`),
      changes: await this.#changes(),
      anchors: await this.transaction.run((db) =>
        db.all(
          { source: number, url: text, text, target: { orNull: number }, crawl: number },
          sql`
            select source_doc_id as "source", link as "url", anchor_text as "text", target_doc_id as "target",
              crawl_id as "crawl" from anchor_text`,
        ),
      ),
    };
  }

  async #pairs(document: Sql, set: Sql): Promise<number[][]> {
    const rows = await this.transaction.run((db) =>
      db.all({ crawl: number, doc: number }, sql`select crawl_id as "crawl", ${document} as "doc" from ${set}`),
    );
    return rows.map(({ crawl, doc }) => [crawl, doc]).toSorted(byNumbers);
  }

  async #changes(): Promise<number[][]> {
    const rows = await this.transaction.run((db) =>
      db.all(
        { crawl: number, doc: number, type: number },
        sql`select crawl_id as "crawl", target_doc_id as "doc", change_type as "type" from anchor_changes`,
      ),
    );
    return rows.map(({ crawl, doc, type }) => [crawl, doc, type]).toSorted(byNumbers);
  }
}
