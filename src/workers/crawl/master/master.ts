import type { Log } from '../../../base/log/log.ts';
import type { Client } from '../../../client/client.ts';
import { project } from '../../../protocols/search/crawls/crawl-status.ts';
import { getCrawls } from '../../../protocols/search/crawls/get-crawls.ts';
import { componentState } from '../../../protocols/search/topology/component-state.ts';
import { Role, rest } from '../role.ts';
import { SlowingPace } from '../slowing-pace.ts';
import { Directory } from '../store/directory.ts';
import { Farm } from '../store/farm.ts';
import { adminStage, storeStage } from '../store/stages.ts';
import { untilCrawls } from '../until-crawls.ts';
import { Beginning } from './begin.ts';
import type { ListedCrawl } from './listed-crawl.ts';
import { MovingOn } from './move-on.ts';

export interface MasterOptions {
  /** The administration database. */
  readonly admin: Client;
  /** The crawl component that is the master, or would be. */
  readonly number: number;
  readonly log: Log;
  /** Milliseconds between two polls for crawls. */
  readonly pollInterval: number;
  /** Minutes of silence after which a component is presumed dead. */
  readonly silence: number;
  /** Milliseconds between two checks for silent components. */
  readonly heartbeat: number;
}

/** What stage 96 of proc_MSS_CrawlAdmin returns when no component is silent. */
const noComponent = 0x7fffffff;

/** The master: advances crawls from stage to stage while its component has the role, and waits for it otherwise. */
export class Master extends Role {
  readonly #options: MasterOptions;

  constructor(options: MasterOptions) {
    super(options.log.with({ master: options.number }));
    this.#options = options;
  }

  protected async live(signal: AbortSignal): Promise<void> {
    const { admin, pollInterval, heartbeat } = this.#options;
    const farm = await Farm.of(admin);
    const movingOn = new MovingOn(farm, new Beginning(farm, new Directory(admin)));
    const pace = new SlowingPace(pollInterval);
    let lastLook = 0;
    do {
      if (Date.now() - lastLook >= heartbeat) {
        await this.#lookForSilent(farm);
        lastLook = Date.now();
      }
      const crawls = (await farm.isMaster(this.#options.number)) ? await this.#crawls() : [];
      for (const crawl of crawls) await movingOn.step(crawl, crawls);
      const areThere = crawls.length > 0 || (await untilCrawls(admin, heartbeat, signal));
      pace.see({ crawls, areThere });
    } while (await rest(pace.next(), signal));
  }

  async #crawls(): Promise<ListedCrawl[]> {
    const listed: ListedCrawl[] = [];
    for (const each of [project.portalContent, project.anchor]) {
      const asked = { ComponentID: null, CatalogID: each, MasterRole: true };
      const { sets } = await this.#options.admin.call(getCrawls, asked);
      listed.push(...sets.crawls.map((crawl) => ({ ...crawl, project: each })));
    }
    return listed;
  }

  /**
   * Disables components that have been silent for too long: their items return to the queue. Ensures that there is a
   * master.
   */
  async #lookForSilent(farm: Farm): Promise<void> {
    const { admin, number, silence, log } = this.#options;
    for (;;) {
      const { misc: silent } = await adminStage(admin, 96, { MiscInputData: silence });
      if (silent === noComponent || silent === number) return;
      log.warn('a component stopped reporting and was disabled', { component: silent });
      await adminStage(admin, 162, { MiscInputData: silent });
      const store = await farm.storeOf(silent);
      if (store !== undefined) await storeStage(store.client, 163, { MiscInputData: silent });
      await farm.setState(silent, number, componentState.disabled);
    }
  }
}
