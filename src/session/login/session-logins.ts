import { sqlError } from '../../base/messages/sql-error.ts';
import { everyDatabase } from '../../engine/names.ts';
import type { Identity, Logins } from '../../tsql/host.ts';
import type { ServerContext } from '../context.ts';

/** Management of logins as the session's login may do it: an administrator all, anyone else only their own password. */
export class SessionLogins implements Logins {
  readonly #context: ServerContext;
  readonly #identity: Identity;
  readonly #address: string;

  constructor(context: ServerContext, identity: Identity, address: string) {
    this.#context = context;
    this.#identity = identity;
    this.#address = address;
  }

  async create(name: string, password: string, mustChange: boolean): Promise<void> {
    await this.#mustBeAdministrator();
    await this.#context.accounts.create(name, password, undefined, mustChange);
  }

  async createWindows(name: string, login: { readonly sid?: string; readonly password?: string }): Promise<void> {
    await this.#mustBeAdministrator();
    await this.#context.accounts.windows.create(name, login);
  }

  async setPassword(
    name: string,
    password: string,
    mustChange: boolean,
    oldPassword: string | undefined,
  ): Promise<void> {
    const { accounts } = this.#context;
    if (this.#identity.isReadOnly) throw sqlError(15151, 'alter', 'login', name);
    if (!(await this.#isAdministrator())) {
      const isOwn = name.toLowerCase() === this.#identity.login.toLowerCase();
      const isProven = isOwn && oldPassword !== undefined && (await accounts.verify(name, oldPassword, this.#address));
      if (!isProven) throw sqlError(15151, 'alter', 'login', name);
    }
    await accounts.setPassword(name, password, mustChange);
  }

  /** Error 15434 while the login has sessions. */
  async drop(name: string): Promise<void> {
    await this.#mustBeAdministrator();
    const { accounts, view } = this.#context;
    const isUsed = view.sessions().some(({ login }) => login.toLowerCase() === name.toLowerCase());
    if (isUsed) throw sqlError(15434, name);
    await accounts.drop(name);
  }

  async #mustBeAdministrator(): Promise<void> {
    if (this.#identity.isReadOnly || !(await this.#isAdministrator())) throw sqlError(15247);
  }

  /** Looked up each time: the right may have been revoked since the session logged in. */
  async #isAdministrator(): Promise<boolean> {
    return (await this.#context.accounts.roleOfAny(this.#identity.through, everyDatabase)) === 'admin';
  }
}
