import type { Log } from '../../../base/log/log.ts';
import type { Client } from '../../../client/client.ts';
import { getCompiledScopes } from '../../../protocols/search/scopes/get-compiled-scopes.ts';
import { getDeletedScopesForCompilation } from '../../../protocols/search/scopes/get-deleted-scopes-for-compilation.ts';
import { getScopeRulesForCompilation } from '../../../protocols/search/scopes/get-scope-rules-for-compilation.ts';
import { getScopesForCompilation } from '../../../protocols/search/scopes/get-scopes-for-compilation.ts';
import { shareScopesCompilationInfo } from '../../../protocols/search/scopes/share-scopes-compilation-info.ts';
import { componentType } from '../../../protocols/search/status-changes/component-type.ts';
import { Role, rest } from '../role.ts';
import { Farm } from '../store/farm.ts';

interface CompilerOptions {
  /** The administration database. */
  readonly admin: Client;
  /** The number of the crawl component. */
  readonly number: number;
  readonly log: Log;
  /** Milliseconds between two looks whether scopes are to be compiled. */
  readonly interval: number;
}

/**
 * Compiles search scopes as a crawl component, or the one component of the Foundation role, does (3.2.5.7, 3.4.5.5).
 * Granary's index is queried by URL and stores nothing for a scope: a scope is compiled once its rules have been
 * fetched.
 */
export class ScopeCompiler extends Role {
  readonly #options: CompilerOptions;
  readonly #compiled = new Map<number, number>();

  constructor(options: CompilerOptions) {
    super(options.log.with({ scopes: options.number }));
    this.#options = options;
  }

  /** The scopes that are compiled, each with the number of rules that it was compiled from here. */
  get compiled(): ReadonlyMap<number, number> {
    return this.#compiled;
  }

  protected async live(signal: AbortSignal): Promise<void> {
    const { admin, number, interval } = this.#options;
    const { isFoundation } = await Farm.of(admin);
    const ComponentRole = isFoundation ? componentType.standalone : componentType.crawl;
    const share = async (CompletedCompilationID: number): Promise<number> => {
      const own = { ComponentRole, ComponentID: number, CompletedCompilationID };
      const { output } = await admin.call(shareScopesCompilationInfo, own, { idempotent: true });
      return output.RequestedCompilationID ?? 0;
    };
    await this.#load();
    let completed = 0;
    do {
      for (let asked = await share(completed); asked > completed; asked = await share(completed)) {
        await this.#compile(asked);
        completed = asked;
      }
    } while (await rest(interval, signal));
  }

  async #load(): Promise<void> {
    const { sets } = await this.#options.admin.call(getCompiledScopes, {}, { idempotent: true });
    this.#compiled.clear();
    for (const { ScopeID } of sets.scopes) this.#compiled.set(ScopeID, 0);
  }

  async #compile(compilation: number): Promise<void> {
    const { admin } = this.#options;
    const { sets: wanted } = await admin.call(getScopesForCompilation, {}, { idempotent: true });
    const { sets: unwanted } = await admin.call(getDeletedScopesForCompilation, {}, { idempotent: true });
    const { sets: known } = await admin.call(getScopeRulesForCompilation, {}, { idempotent: true });
    for (const { ScopeID } of unwanted.scopes) this.#compiled.delete(ScopeID);
    for (const { ScopeID } of wanted.scopes) {
      this.#compiled.set(ScopeID, known.rules.filter((rule) => rule.ScopeID === ScopeID).length);
    }
    if (wanted.scopes.length + unwanted.scopes.length === 0) return;
    this.log.info('scopes were compiled', { compilation, scopes: wanted.scopes.length, gone: unwanted.scopes.length });
  }
}
