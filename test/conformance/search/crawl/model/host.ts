import { fold } from '../../../../../src/base/collation.ts';
import type { Bindable } from '../../../../../src/base/stored.ts';
import type { Transaction } from '../../../../../src/engine/db.ts';
import { sql } from '../../../../../src/engine/sql.ts';
import type { AnyProcedure } from '../../../../../src/procedure/declare.ts';
import { isStored } from '../../../../../src/procedure/relation.ts';
import { linkRelations } from '../../../../../src/protocols/search/gather/relations/links.ts';
import { number, text } from '../../../../../src/protocols/search/gather/values.ts';
import { type TestLink, wholeLink } from '../link.ts';

const links = linkRelations.find(({ name }) => name === 'MSSTranTempTable0');

/** Calls procedures of a crawl store inside one transaction, which is rolled back in the end. */
export class StoreHost {
  readonly #transaction: Transaction;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
  }

  /** What a procedure replied; what it is not given is NULL. */
  call(
    procedure: AnyProcedure,
    input: object,
  ): Promise<{ outcome: string; output?: Record<string, unknown>; sets?: object }> {
    const all = { ...Object.fromEntries(Object.keys(procedure.params).map((name) => [name, null])), ...input };
    return this.#transaction.run(async (db) => {
      const call = {
        db,
        now: new Date(0),
        database: 'Store',
        kind: 'search-crawl',
        signal: new AbortController().signal,
      };
      const reply = await procedure.handle(call as never, all, undefined);
      const items = reply.sets?.['items'];
      return { ...reply, sets: items === undefined ? {} : { items: await Array.fromAsync(items) } };
    });
  }

  /** Puts a link where clients put it. */
  async bring(link: TestLink): Promise<void> {
    if (links === undefined || !isStored(links)) throw new Error('there are no links');
    const row: Record<string, Bindable> = {};
    for (const [name, value] of Object.entries(wholeLink(link))) {
      const { column, keyColumn } = links.stored[name] ?? {};
      if (column !== undefined) row[column] = value;
      if (keyColumn !== undefined) row[keyColumn] = typeof value === 'string' ? fold(value) : null;
    }
    await this.#transaction.run((db) => db.insert('crawl_links', Object.keys(row), [Object.values(row)]));
  }

  /** All that the model knows too. */
  state() {
    return this.#transaction.run(async (db) => ({
      documents: await db.all(
        { id: number, url: text, crawl: number, committed: number, isDeleted: number, errors: number, retries: number },
        sql`
          select doc_id as "id", access_url as "url", crawl_id as "crawl", commit_crawl_id as "committed",
            delete_pending as "isDeleted", error_count as "errors", retry as "retries"
          from crawl_history order by doc_id`,
      ),
      items: await db.all(
        {
          crawl: number,
          doc: number,
          type: number,
          scope: number,
          batch: number,
          component: { orNull: number },
          reason: { orNull: number },
        },
        sql`
          select crawl_id as "crawl", doc_id as "doc", transaction_type as "type", scope as "scope", batch_id as "batch",
            component_id as "component", delete_reason as "reason"
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
}
