import type { Client } from '../../../client/client.ts';
import { orNull } from '../../../procedure/declare.ts';
import { resetCatalog } from '../../../protocols/search/properties/reset-catalog.ts';
import { setCrawlComponentStatus } from '../../../protocols/search/properties/set-crawl-component-status.ts';
import { componentType } from '../../../protocols/search/status-changes/component-type.ts';
import { getDatabaseID } from '../../../protocols/search/topology/get-database-id.ts';
import { getGathererDBs } from '../../../protocols/search/topology/get-gatherer-dbs.ts';
import { getMasterRole } from '../../../protocols/search/topology/get-master-role.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { SourceBook } from './source-book.ts';
import { adminStage, storeStage } from './stages.ts';

/** A crawl store. */
export interface CrawlStore {
  readonly ordinal: number;
  readonly client: Client;
}

/** The one store of the Foundation role has this ordinal. */
const onlyOrdinal = 0;

/**
 * The databases of a farm, as the roles of a crawl reach them: by the names that the administration database has. In
 * the Foundation role there is one database for everything and one component, which nobody asks for a store, a state or
 * the role of the master (3.4.5): its database has no procedures for that.
 */
export class Farm {
  readonly admin: Client;
  readonly isFoundation: boolean;
  readonly sources: SourceBook;
  readonly stores: readonly CrawlStore[];
  readonly #propertyStores: readonly Client[];

  private constructor(
    admin: Client,
    stores: readonly CrawlStore[],
    propertyStores: readonly Client[],
    isFoundation = false,
  ) {
    this.admin = admin;
    this.isFoundation = isFoundation;
    this.sources = new SourceBook(admin);
    this.stores = stores;
    this.#propertyStores = propertyStores;
  }

  /** Looks up the stores. */
  static async of(admin: Client): Promise<Farm> {
    const [topology] = await admin.select(
      { id: orNull(int) },
      `select object_id('dbo.${getGathererDBs.name}') as id`,
      {},
      { idempotent: true },
    );
    if (topology?.id == null) return new Farm(admin, [{ ordinal: onlyOrdinal, client: admin }], [admin], true);
    const { sets } = await admin.call(getGathererDBs, {});
    const named = await admin.select({ Name: nvarchar(256) }, 'select Name from PropertyStores order by ID');
    return new Farm(
      admin,
      sets.stores.map(({ Ordinal, Name }) => ({ ordinal: Ordinal, client: admin.database(Name) })),
      named.map(({ Name }) => admin.database(Name)),
    );
  }

  /** The store of a component; undefined if there is no such component. */
  async storeOf(component: number): Promise<CrawlStore | undefined> {
    if (this.isFoundation) return this.stores[0];
    const { output } = await this.admin.call(getDatabaseID, { ComponentID: component });
    const ordinal = output.GthrDBID ?? -1;
    return ordinal < 0 ? undefined : this.store(ordinal);
  }

  /** Tells the property stores what a component is now. */
  async setState(component: number, by: number, state: number): Promise<void> {
    if (this.isFoundation) return;
    const input = { ComponentID: component, ModifiedByComponentID: by, Status: state };
    for (const store of this.#propertyStores) await store.call(setCrawlComponentStatus, input, { idempotent: true });
  }

  /** Whether a component is the master. */
  async isMaster(component: number): Promise<boolean> {
    if (this.isFoundation) return true;
    const { output } = await this.admin.call(getMasterRole, { ComponentID: component });
    return output.MasterRole === true;
  }

  /** Whether another crawl component that was asked to restart has not done so yet. */
  async othersReset(component: number): Promise<boolean> {
    const [row] = await this.admin.select(
      { n: int },
      `select count(*) as n from ComponentActivity
       where HaveResetRequest = 1 and ComponentType = ${componentType.crawl} and ComponentID <> @component`,
      { component },
      { idempotent: true },
    );
    return (row?.n ?? 0) > 0;
  }

  /** Forgets all crawls and everything that they found. */
  async empty(): Promise<void> {
    await adminStage(this.admin, 91);
    for (const { client } of this.stores) await storeStage(client, 92);
    for (const store of this.#propertyStores) await store.call(resetCatalog, { nCatalogId: 1 }, { idempotent: true });
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
  async joined(crawl: number): Promise<readonly CrawlStore[]> {
    if (this.isFoundation) return this.stores;
    const rows = await this.admin.select(
      { GthrDBID: int },
      'select GthrDBID from CrawlStoreStatus where CrawlID = @crawl order by GthrDBID',
      { crawl },
    );
    return rows.map(({ GthrDBID }) => this.store(GthrDBID));
  }
}
