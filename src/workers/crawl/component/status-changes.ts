import type { Client } from '../../../client/client.ts';
import { completeStatusChange } from '../../../protocols/search/status-changes/complete-status-change.ts';
import { componentType } from '../../../protocols/search/status-changes/component-type.ts';
import { createNewComponentRecord } from '../../../protocols/search/status-changes/create-new-component-record.ts';
import { getPauseStatus } from '../../../protocols/search/status-changes/get-pause-status.ts';
import { getStatusChangeRequest } from '../../../protocols/search/status-changes/get-status-change-request.ts';
import { applicationOf, crawlComponentName, projects } from '../store/application.ts';
import type { Farm } from '../store/farm.ts';

/** How a component reacts to requests. */
interface Changes {
  /** Ends the work on the crawls of a project gracefully. */
  leave(project: number): Promise<void>;
  /** Resets the component; false while it has to wait for others, and must be asked again. */
  reset(): Promise<boolean>;
}

/** The pause level for crawls; the other one, for master merges, concerns the merger. */
const crawlsLevel = 2;

/** Requests of an application to all components, whatever they crawl: to pause, to resume, to reset (3.2.5.5). */
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

  /** Registers a component; it starts paused if others are paused. */
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

  /** Polls for requests, executes them, and reports them as done. */
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
