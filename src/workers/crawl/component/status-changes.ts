import type { Client } from '../../../client/client.ts';
import { completeStatusChange } from '../../../protocols/search/status-changes/complete-status-change.ts';
import { componentType } from '../../../protocols/search/status-changes/component-type.ts';
import { createNewComponentRecord } from '../../../protocols/search/status-changes/create-new-component-record.ts';
import { getPauseStatus } from '../../../protocols/search/status-changes/get-pause-status.ts';
import { getStatusChangeRequest } from '../../../protocols/search/status-changes/get-status-change-request.ts';
import { applicationOf, crawlComponentName, projects } from '../store/application.ts';
import type { Farm } from '../store/farm.ts';

/** What a component does when it is asked to. */
interface Changes {
  /** Ends the work on the crawls of a project, in peace. */
  leave(project: number): Promise<void>;
  /** Begins anew; false while it has to wait for others, and is to be asked again. */
  reset(): Promise<boolean>;
}

/** The level of a pause that is for crawls; the other one, of master merges, is heeded by who merges. */
const crawlsLevel = 2;

/** What an application asks of all components, whatever they crawl: to pause, to go on, to begin anew (3.2.5.5). */
export class StatusChanges {
  readonly #admin: Client;
  readonly #name: string;
  readonly #projects: readonly (typeof projects)[number][];
  readonly #interval: number;
  readonly #paused = new Set<number>();
  #next = 0;

  private constructor(farm: Farm, name: string, interval: number) {
    this.#admin = farm.admin;
    this.#name = name;
    this.#projects = farm.isFoundation ? projects.slice(0, 1) : projects;
    this.#interval = interval;
  }

  /** Makes a component known to whoever asks; it is paused from its beginning where others are. */
  static async register(farm: Farm, number: number, interval: number): Promise<StatusChanges> {
    const application = await applicationOf(farm.admin);
    const name = farm.isFoundation ? application : crawlComponentName(application, number);
    const made = new StatusChanges(farm, name, interval);
    const ComponentType = farm.isFoundation ? componentType.standalone : componentType.crawl;
    for (const { name: ProjectName } of made.#projects) {
      const record = { ComponentName: name, ProjectName, ComponentType, ComponentId: number };
      await farm.admin.call(createNewComponentRecord, record, { idempotent: true });
    }
    return made;
  }

  /** Whether the crawls of a project are paused. */
  isPaused(id: number): boolean {
    return this.#paused.has(id);
  }

  /** Asks now and then what is wanted, does it, and says that it is done. */
  async poll(changes: Changes): Promise<void> {
    if (performance.now() < this.#next) return;
    for (const { id, name: ProjectName } of this.#projects) {
      const own = { ComponentName: this.#name, ProjectName };
      const { outcome, output } = await this.#admin.call(getStatusChangeRequest, { ...own, IsAdmin: false });
      if (outcome === 'change') {
        const isPause = output.HavePauseRequest === 1 && output.PauseLevel === crawlsLevel;
        if (isPause) await changes.leave(id);
        if (output.HaveResetRequest === 1 && !(await changes.reset())) continue;
        await this.#admin.call(completeStatusChange, { ...own, RemoveRecord: 0 }, { idempotent: true });
      }
      const { output: status } = await this.#admin.call(getPauseStatus, own, { idempotent: true });
      if (status.lAreCrawlsPaused === 1) this.#paused.add(id);
      else this.#paused.delete(id);
    }
    this.#next = performance.now() + this.#interval;
  }

  /** Nobody waits for a component that has ended. */
  async forget(): Promise<void> {
    for (const { name: ProjectName } of this.#projects) {
      const own = { ComponentName: this.#name, ProjectName };
      await this.#admin.call(completeStatusChange, { ...own, RemoveRecord: 1 }, { idempotent: true });
    }
  }
}
