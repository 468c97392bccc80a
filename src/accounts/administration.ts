import { sqlError } from '../base/messages/sql-error.ts';
import type { Contents, Engine } from '../engine/engine.ts';
import { everyDatabase } from '../engine/names.ts';
import type { Accounts } from './accounts.ts';
import { dropRoles, type Grant } from './roles-store.ts';
import type { WindowsAccounts } from './windows-accounts.ts';

/** Operations on databases and logins together, for the command line and for administrators over TDS. */
export class Administration {
  readonly #engine: Engine;
  readonly #accounts: Accounts;
  readonly #contentsOf: (kind: string) => Contents | undefined;

  constructor(
    engine: Engine,
    accounts: Accounts,
    contentsOf: (kind: string) => Contents | undefined = () => undefined,
  ) {
    this.#engine = engine;
    this.#accounts = accounts;
    this.#contentsOf = contentsOf;
  }

  /** Creates a database with the initial contents of its kind, in one step. */
  async createDatabase(name: string, kind: string): Promise<void> {
    await this.#engine.create(name, kind, this.#contentsOf(kind));
  }

  /** Removes a database with its contents and the roles on it, in one step. */
  async dropDatabase(name: string): Promise<void> {
    await this.#engine.drop(name, (db) => dropRoles(db, name));
  }

  /** Creates a login, with a role if given; 911 if that is on a database that does not exist. */
  async createLogin(name: string, password: string, granted?: Grant): Promise<void> {
    await this.#accounts.create(name, password, granted && (await this.#existing(granted)));
  }

  /** Creates the login of a Windows user or group, with a role if given. */
  async createWindowsLogin(
    name: string,
    login: Parameters<WindowsAccounts['create']>[1],
    granted?: Grant,
  ): Promise<void> {
    await this.#accounts.windows.create(name, login, granted && (await this.#existing(granted)));
  }

  /** Grants a login a role, replacing the one it had on that database; 911 if the database does not exist. */
  async grant(login: string, granted: Grant): Promise<void> {
    await this.#accounts.grant(login, await this.#existing(granted));
  }

  /** Revokes a login's role on a database; false if it had none there. */
  revoke(login: string, database: string): Promise<boolean> {
    return this.#accounts.revoke(login, database);
  }

  /** The grant with the database's name spelled as it was created. */
  async #existing(granted: Grant): Promise<Grant> {
    if (granted.database === everyDatabase) return granted;
    const found = await this.#engine.open(granted.database);
    if (found === undefined) throw sqlError(911, granted.database);
    return { ...granted, database: found.name };
  }
}
