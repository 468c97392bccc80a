import { includesRole, type Role } from '../accounts/role.ts';
import { sqlError } from '../base/sql-error.ts';
import type { Database } from '../engine/db.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import type { Registry } from '../procedure/registry.ts';
import type { ServerContext } from './context.ts';

/** Milliseconds that a role, once read, is believed: a revoked right is gone within a second, a call costs no look-up. */
const roleLifetime = 1000;

/** The databases that every SQL Server has and drivers ask for; they offer what the system offers and nothing else. */
export const systemDatabases = ['master', 'tempdb', 'model', 'msdb'] as const;

const systemName = (name: string) => systemDatabases.find((system) => system === name.toLowerCase());

/** A database as one login sees it: what it offers, and what the login may do there. */
export class CurrentDatabase {
  readonly name: string;
  readonly database: Database;
  readonly registry: Registry;
  readonly #context: ServerContext;
  readonly #login: string;
  readonly #isSystem: boolean;
  #role: Role;
  #roleRead: number;

  private constructor(
    name: string,
    database: Database,
    registry: Registry,
    context: ServerContext,
    login: string,
    role: Role,
  ) {
    this.name = name;
    this.database = database;
    this.registry = registry;
    this.#context = context;
    this.#isSystem = systemName(name) !== undefined;
    this.#login = login;
    this.#role = role;
    this.#roleRead = performance.now();
  }

  /** Opens a database for a login: 911 when there is none of that name, 916 when the login has no role on it. */
  static async open(context: ServerContext, login: string, name: string): Promise<CurrentDatabase> {
    const system = systemName(name);
    const database = system ? context.engine.system : await context.engine.open(name);
    if (!database) throw sqlError(911, name);
    const registry = context.registry(system ? 'system' : database.kind);
    if (!registry) throw sqlError(911, name);
    const role = system ? 'reader' : await context.accounts.roleOn(login, database.name);
    if (!role) throw sqlError(916, login, database.name);
    return new CurrentDatabase(system ?? database.name, database, registry, context, login, role);
  }

  /** Throws 229 when the login may not call the procedure; a promise only when the role had to be read again. */
  mayExecute(procedure: AnyProcedure): void | Promise<void> {
    if (this.#roleIsFresh) return this.#checkExecute(procedure);
    return this.#readRole().then(() => this.#checkExecute(procedure));
  }

  /** Throws 916 when the login has lost its role since the database was opened. */
  mayRead(): void | Promise<void> {
    if (!this.#roleIsFresh) return this.#readRole();
  }

  #checkExecute(procedure: AnyProcedure): void {
    const { access } = procedure;
    if (access !== 'none' && access !== 'read' && !includesRole(this.#role, 'writer')) {
      throw sqlError(229, 'EXECUTE', procedure.name, this.name, 'dbo');
    }
  }

  get #roleIsFresh(): boolean {
    return this.#isSystem || performance.now() - this.#roleRead < roleLifetime;
  }

  async #readRole(): Promise<void> {
    const role = await this.#context.accounts.roleOn(this.#login, this.name);
    if (!role) throw sqlError(916, this.#login, this.name);
    this.#role = role;
    this.#roleRead = performance.now();
  }
}
