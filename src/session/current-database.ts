import { includesRole, type Role } from '../accounts/role.ts';
import { SqlError, sqlError } from '../base/messages/sql-error.ts';
import type { Database } from '../engine/db.ts';
import { Damage } from '../engine/fault.ts';
import { everyDatabase, systemName } from '../engine/names.ts';
import type { AnyProcedure } from '../procedure/declare.ts';
import { schemaOf } from '../procedure/describe.ts';
import type { Registry } from '../procedure/registry.ts';
import type { ChangedTable } from '../tsql/host.ts';
import type { ServerContext } from './context.ts';

/**
 * Milliseconds for which a looked-up database and role are cached: a revoked right or a dropped database is noticed
 * within a second, and a call costs no look-up.
 */
const lifetime = 1000;

/** What a look-up in the catalog and the logins returns for a database. */
interface Found {
  readonly database: Database;
  readonly registry: Registry;
  readonly role: Role;
}

/** Who has roles. */
export interface RoleHolder {
  readonly login: string;
  /** The logins whose roles it has: its own, or those of the Windows user and groups that it was authenticated by. */
  readonly through: readonly string[];
  /** True for a read-only session, whatever its roles. */
  readonly isReadOnly?: boolean;
}

/** A database as one login sees it: its procedures and relations, and what the login may do there. */
export class CurrentDatabase {
  readonly name: string;
  readonly #context: ServerContext;
  readonly #holder: RoleHolder;
  #found: Found;
  #foundAt = performance.now();

  private constructor(name: string, found: Found, context: ServerContext, holder: RoleHolder) {
    this.name = name;
    this.#found = found;
    this.#context = context;
    this.#holder = holder;
  }

  /** Opens a database for a login: error 911 if there is none of that name, 916 if the login has no role on it. */
  static async open(context: ServerContext, holder: RoleHolder, name: string): Promise<CurrentDatabase> {
    const found = await look(context, holder, name);
    return new CurrentDatabase(systemName(name) ?? found.database.name, found, context, holder);
  }

  get database(): Database {
    return this.#found.database;
  }

  get registry(): Registry {
    return this.#found.registry;
  }

  /**
   * Throws 229 if the login may not call the procedure; returns a promise only if the role had to be looked up again.
   */
  mayExecute(procedure: AnyProcedure): void | Promise<void> {
    if (procedure.reservedFor !== undefined) return this.#checkReserved(procedure, procedure.reservedFor);
    if (this.#isFresh) return this.#checkExecute(procedure);
    return this.#lookAgain().then(() => this.#checkExecute(procedure));
  }

  /** Throws 916 when the login has lost its role since the database was opened. */
  mayRead(): void | Promise<void> {
    if (!this.#isFresh) return this.#lookAgain();
  }

  /** Throws 229 when the login may not change the table. */
  mayChange(table: ChangedTable): void | Promise<void> {
    if (this.#isFresh) return this.#checkChange(table);
    return this.#lookAgain().then(() => this.#checkChange(table));
  }

  /** The real cause of a failed call: 911 if the database was dropped during the call, otherwise what was thrown. */
  async reasonOf(thrown: unknown): Promise<unknown> {
    try {
      await this.#lookAgain();
      return thrown;
    } catch (error) {
      return error instanceof SqlError ? error : thrown;
    }
  }

  #checkExecute(procedure: AnyProcedure): void {
    const { access } = procedure;
    if (access !== 'none' && access !== 'read' && !includesRole(this.#found.role, 'writer')) {
      throw this.#denied(procedure);
    }
  }

  #checkChange({ right, name, schema }: ChangedTable): void {
    if (!includesRole(this.#found.role, 'writer')) throw sqlError(229, right, name, this.name, schema);
  }

  async #checkReserved(procedure: AnyProcedure, who: 'databaseAdmin' | 'serverAdmin'): Promise<void> {
    if (this.#holder.isReadOnly) throw this.#denied(procedure);
    const where = who === 'serverAdmin' ? everyDatabase : this.name;
    if ((await this.#context.accounts.roleOfAny(this.#holder.through, where)) !== 'admin')
      throw this.#denied(procedure);
  }

  #denied(procedure: AnyProcedure): SqlError {
    return sqlError(229, 'EXECUTE', procedure.name, this.name, schemaOf(procedure));
  }

  get #isFresh(): boolean {
    return performance.now() - this.#foundAt < lifetime;
  }

  async #lookAgain(): Promise<void> {
    const before = this.#found.database;
    this.#found = await look(this.#context, this.#holder, this.name);
    this.#foundAt = performance.now();
    // Dropped and created again: the call was meant for the old one, and may not even exist in this kind.
    if (this.#found.database !== before) throw sqlError(911, this.name);
  }
}

/** 926 for a database that cannot be opened; the log says why. */
async function opened({ engine }: ServerContext, name: string): Promise<Database | undefined> {
  try {
    return await engine.open(name);
  } catch (error) {
    throw error instanceof Damage ? sqlError(926, name) : error;
  }
}

async function look(context: ServerContext, { login, through, isReadOnly }: RoleHolder, name: string): Promise<Found> {
  const system = systemName(name);
  const database = system ? context.engine.system : await opened(context, name);
  if (!database) throw sqlError(911, name);
  const registry = context.registry(system ? 'system' : database.kind);
  if (!registry) throw sqlError(911, name);
  const role = system ? 'reader' : await context.accounts.roleOfAny(through, database.name);
  if (!role) throw sqlError(916, login, database.name);
  return { database, registry, role: isReadOnly ? 'reader' : role };
}
