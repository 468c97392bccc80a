import type { Client } from '../../../client/client.ts';
import { getGathererDBs } from '../../../protocols/search/topology/get-gatherer-dbs.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { SourceBook } from './source-book.ts';

/** A crawl store. */
export interface CrawlStore {
  readonly ordinal: number;
  readonly client: Client;
}

/** The databases of a farm, as the roles of a crawl reach them: by the names that the administration database has. */
export class Farm {
  readonly admin: Client;
  readonly sources: SourceBook;
  readonly stores: readonly CrawlStore[];
  readonly #propertyStores: readonly Client[];

  private constructor(admin: Client, stores: readonly CrawlStore[], propertyStores: readonly Client[]) {
    this.admin = admin;
    this.sources = new SourceBook(admin);
    this.stores = stores;
    this.#propertyStores = propertyStores;
  }

  /** Looks up the stores. */
  static async of(admin: Client): Promise<Farm> {
    const { sets } = await admin.call(getGathererDBs, {});
    const named = await admin.select({ Name: nvarchar(256) }, 'select Name from PropertyStores order by ID');
    return new Farm(
      admin,
      sets.stores.map(({ Ordinal, Name }) => ({ ordinal: Ordinal, client: admin.database(Name) })),
      named.map(({ Name }) => admin.database(Name)),
    );
  }

  store(ordinal: number): CrawlStore {
    const found = this.stores.find((store) => store.ordinal === ordinal);
    if (found === undefined) throw new Error(`There is no crawl store ${ordinal}.`);
    return found;
  }

  get propertyStores(): readonly Client[] {
    return this.#propertyStores;
  }

  /** The property store of a document: its identifier decides, so that every component finds the same one. */
  propertyStoreOf(document: number): Client | undefined {
    return this.#propertyStores[document % this.#propertyStores.length];
  }

  /** The stores that have joined a crawl. */
  async joined(crawl: number): Promise<CrawlStore[]> {
    const rows = await this.admin.select(
      { GthrDBID: int },
      'select GthrDBID from CrawlStoreStatus where CrawlID = @crawl order by GthrDBID',
      { crawl },
    );
    return rows.map(({ GthrDBID }) => this.store(GthrDBID));
  }
}
