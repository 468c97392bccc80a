import { MemoryBudget } from '../../base/memory/memory-budget.ts';

/** Bytes that T-SQL may hold: all sessions together, those of one login, one session. */
export interface MemoryLimits {
  readonly serverMemory: number;
  readonly loginMemory: number;
  readonly sessionMemory: number;
}

/** The memory that the T-SQL of all sessions holds: a session's under its login's, that under the server's. */
export class ServerMemory {
  readonly #limits: MemoryLimits;
  readonly #server: MemoryBudget;
  readonly #logins = new Map<string, { readonly budget: MemoryBudget; sessions: number }>();
  /** For what outlives sessions: the tables that they share in tempdb. */
  readonly shared: MemoryBudget;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
    this.#server = new MemoryBudget(limits.serverMemory);
    this.shared = this.#server.under(limits.loginMemory);
  }

  /** Bytes in use by everybody. */
  get used(): number {
    return this.#server.used;
  }

  /** What is held: by everybody, in tempdb's shared tables, and by the login that holds most. */
  get budgets(): readonly { readonly name: string; readonly used: number; readonly limit: number }[] {
    const logins = [...this.#logins.values()].map(({ budget }) => budget.used);
    return [
      { name: 'server', used: this.used, limit: this.#server.limit },
      { name: 'tempdb', used: this.shared.used, limit: this.shared.limit },
      { name: 'largest_login', used: Math.max(0, ...logins), limit: this.#limits.loginMemory },
    ];
  }

  /** A session's part. */
  open(login: string): SessionMemory {
    const name = login.toLowerCase();
    const of = this.#logins.get(name) ?? { budget: this.#server.under(this.#limits.loginMemory), sessions: 0 };
    of.sessions++;
    this.#logins.set(name, of);
    const budget = of.budget.under(this.#limits.sessionMemory);
    let isOpen = true;
    return {
      budget,
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        budget[Symbol.dispose]();
        if (--of.sessions === 0) this.#logins.delete(name);
      },
    };
  }
}

/** What a session has of the memory, until it closes. */
export interface SessionMemory {
  readonly budget: MemoryBudget;
  close(): void;
}
