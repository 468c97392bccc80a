import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { sqlError } from '../base/messages/sql-error.ts';
import type { Stored } from '../base/stored.ts';
import type { Database, Db } from '../engine/db.ts';
import { everyDatabase } from '../engine/names.ts';
import { list, sql } from '../engine/sql.ts';
import { FairQueue } from './fair-queue.ts';
import { checkLoginName, checkPassword, keyOf } from './names.ts';
import { defaultCost, type HashCost, hashPassword, isOutdated, passwordMatches, unmatchableHash } from './password.ts';
import { RecentPasswords } from './recent-passwords.ts';
import { isRole, type Role, strongerRole } from './role.ts';
import { type Grant, setRole } from './roles-store.ts';
import { isTaken } from './taken-name.ts';
import { Throttle } from './throttle.ts';
import { WindowsAccounts } from './windows-accounts.ts';

/** The login that exists from the start; it may do everything and cannot be dropped. */
export const administrator = 'sa';

/** An authenticated login. */
interface Principal {
  /** The login's name, spelled as it was created. */
  readonly login: string;
  /** True if the login is only admitted with a new password. */
  readonly mustChangePassword: boolean;
}

/** A login with a password, or one of a Windows user or group. */
type LoginKind = 'sql' | 'user' | 'group';

/** A login in the list. */
interface LoginEntry {
  readonly name: string;
  readonly kind: LoginKind;
  /** The security identifier of a Windows group, if known. */
  readonly sid: string | null;
  readonly created: Date;
  readonly roles: readonly Grant[];
}

/** The effective rights of a login. */
interface Standing {
  readonly strongest: Role | undefined;
  readonly isAdministrator: boolean;
}

interface AccountsOptions {
  readonly clock: Clock;
  readonly cost?: HashCost;
  readonly throttle?: Throttle;
}

/**
 * The number of passwords checked at the same time, over all clients: a check occupies a processor and a thread of the
 * pool, and clients that log in under ever new names must not take both from the calls of others and from the syncs of
 * the log.
 */
const checksAtOnce = availableParallelism() > 4 ? 2 : 1;

const word: Stored<string> = { fromStore: String };
const flag: Stored<boolean> = { fromStore: (stored) => Number(stored) !== 0 };
const moment: Stored<Date> = { fromStore: (stored) => new Date(Number(stored)) };
const wordOrNull = { orNull: word };
const kind: Stored<LoginKind> = {
  fromStore: (stored) => (stored === 'user' || stored === 'group' ? stored : 'sql'),
};
function roleNamed(stored: unknown): Role {
  const name = String(stored);
  if (!isRole(name)) throw new Error(`A login has the unknown role ${name}.`);
  return name;
}
const role: Stored<Role> = { fromStore: roleNamed };

/** Logins and roles, stored in Granary's own database, so that all processes that use it agree at once. */
export class Accounts {
  readonly windows: WindowsAccounts;
  readonly #system: Database;
  readonly #clock: Clock;
  readonly #cost: HashCost;
  readonly #throttle: Throttle;
  readonly #recent = new RecentPasswords();
  readonly #nobody: string;
  readonly #checks = new FairQueue(checksAtOnce);
  /** The usual duration of a check in milliseconds. */
  #usual = 60;

  constructor(system: Database, { clock, cost = defaultCost, throttle = new Throttle(clock) }: AccountsOptions) {
    this.#system = system;
    this.#clock = clock;
    this.#cost = cost;
    this.#throttle = throttle;
    this.#nobody = unmatchableHash(cost);
    this.windows = new WindowsAccounts(system, clock, throttle);
  }

  /**
   * Creates a login, with its first role if given; error 15025 if the name is taken. With `mustChange` its password can
   * only be used to set a new one.
   */
  async create(name: string, password: string, granted?: Grant, mustChange = false): Promise<void> {
    if (!(await this.#insert(name, password, granted, mustChange))) throw sqlError(15025, name);
  }

  /** Whether the administrator exists. */
  async hasAdministrator(): Promise<boolean> {
    return (await this.#find(administrator)) !== undefined;
  }

  /** Creates the administrator unless it exists; true if it was created. */
  async createAdministrator(password: string): Promise<boolean> {
    return this.#insert(administrator, password, { database: everyDatabase, role: 'admin' });
  }

  /** Removes a login with its roles; error 15151 if it does not exist. */
  async drop(name: string): Promise<void> {
    if (keyOf(name) === administrator) throw sqlError(15151, 'drop', 'login', name);
    const gone = await this.#system.write((db) => db.run(sql`delete from logins where login_key = ${keyOf(name)}`));
    if (gone === 0) throw sqlError(15151, 'drop', 'login', name);
  }

  /** Every login with its roles, by name. */
  async list(): Promise<LoginEntry[]> {
    return this.#system.read(async (db) => {
      const logins = await db.all(
        { key: word, name: word, kind, sid: wordOrNull, created: moment },
        sql`select login_key as "key", name as "name", kind as "kind", sid as "sid", created as "created"
            from logins order by login_key`,
      );
      const granted = await db.all(
        { key: word, database: word, role },
        sql`select login_key as "key", database_name as "database", role as "role"
            from login_roles order by login_key, database_key`,
      );
      const byLogin = Map.groupBy(granted, ({ key }) => key);
      return logins.map(({ key, ...login }) => ({
        ...login,
        roles: (byLogin.get(key) ?? []).map(({ database, role }) => ({ database, role })),
      }));
    });
  }

  /**
   * Sets a login's password, which may have to be changed at the next login; error 15151 if the login does not exist.
   */
  async setPassword(name: string, password: string, mustChange = false): Promise<void> {
    checkPassword(password);
    if (await this.windows.setPassword(name, password)) return;
    const hash = await this.#hash(keyOf(name), password);
    const changed = await this.#system.write((db) =>
      db.run(sql`
        update logins
        set password_hash = ${hash}, password_set = ${this.#clock.now()}, must_change = ${mustChange ? 1n : 0n}
        where login_key = ${keyOf(name)} and kind = 'sql'`),
    );
    if (changed === 0) throw sqlError(15151, 'alter', 'login', name);
    this.#recent.remember(keyOf(name), hash, password);
  }

  /** Grants a login a role on a database, or on all with `*`, replacing the one it had there. */
  async grant(name: string, granted: Grant): Promise<void> {
    await this.#system.write(async (db) => {
      if (!(await exists(db, name))) throw sqlError(15151, 'find', 'login', name);
      await setRole(db, name, granted);
    });
  }

  /** Revokes a login's role on a database (or on `*`); false if it had none there. */
  async revoke(name: string, database: string): Promise<boolean> {
    if (keyOf(name) === administrator && database === everyDatabase) throw sqlError(15151, 'alter', 'login', name);
    return this.#system.write(async (db) => {
      if (!(await exists(db, name))) throw sqlError(15151, 'find', 'login', name);
      const gone = await db.run(sql`
        delete from login_roles where login_key = ${keyOf(name)} and database_key = ${keyOf(database)}`);
      return gone > 0;
    });
  }

  /** The role on a database of a user with the roles of several logins: the strongest of them. */
  async roleOfAny(names: readonly string[], database: string): Promise<Role | undefined> {
    const [name, ...others] = names;
    const role = name === undefined ? undefined : await this.roleOn(name, database);
    return others.length === 0 ? role : strongerRole(role, await this.roleOfAny(others, database));
  }

  /** The role of a login on a database: the stronger of its role there and its role on all databases. */
  async roleOn(name: string, database: string): Promise<Role | undefined> {
    const held = await this.#system.read((db) =>
      db.all(
        { role },
        sql`select role as "role" from login_roles
            where login_key = ${keyOf(name)} and database_key in (${keyOf(database)}, ${everyDatabase})`,
      ),
    );
    return held.reduce<Role | undefined>((strongest, { role }) => strongerRole(strongest, role), undefined);
  }

  /**
   * The roles of a user with the roles of several logins, and whether it is an admin of all databases; undefined if
   * none of the logins exists.
   */
  async standing(names: readonly string[]): Promise<Standing | undefined> {
    // A single statement, since open consoles ask every few seconds.
    const rows = await this.#system.few(
      { database: wordOrNull, role: wordOrNull },
      sql`select r.database_key as "database", r.role as "role"
        from logins l left join login_roles r on r.login_key = l.login_key
        where l.login_key in ${list('text', names.map(keyOf))}`,
    );
    if (rows.length === 0) return undefined;
    const held = rows.map(([database, role]) => ({ database, role: role === null ? undefined : roleNamed(role) }));
    return {
      strongest: held.reduce<Role | undefined>((strongest, { role }) => strongerRole(strongest, role), undefined),
      isAdministrator: held.some(({ database, role }) => database === everyDatabase && role === 'admin'),
    };
  }

  /** Authenticates a login; undefined for an unknown login or a wrong password, which take the same time. */
  async verify(name: string, password: string, address: string, signal?: AbortSignal): Promise<Principal | undefined> {
    const comer = { name: keyOf(name), address };
    const login = await this.#find(name);
    const principal = login && { login: login.name, mustChangePassword: login.mustChange };
    // Before any queue: a password that was correct a moment ago does not wait behind guesses, and any other is wrong.
    const isKnown = login && this.#recent.isRight(comer.name, login.hash, password);
    if (isKnown === true) return principal;
    return this.#throttle.attempt(
      comer,
      async () => {
        // If the answer is delayed anyway, nobody can tell that no check was done for an unknown name.
        const isFutile = () => signal?.aborted || (login === undefined && this.#throttle.isSuspect(address));
        if (isFutile()) return undefined;
        if (isKnown === false) return this.#asIfChecked();
        const hash = login?.hash ?? this.#nobody;
        const isRight = await this.#checks.run(comer, async () => !isFutile() && this.#timed(password, hash));
        if (!isRight) return undefined;
        await this.#remember(comer.name, hash, password);
        return principal;
      },
      signal,
    );
  }

  /** Answers everybody whose answer is delayed because of a wrong password: the server is stopping. */
  close(): void {
    this.#throttle.close();
  }

  async #timed(password: string, hash: string): Promise<boolean> {
    const began = performance.now();
    const isRight = await passwordMatches(password, hash);
    this.#usual = (this.#usual + performance.now() - began) / 2;
    return isRight;
  }

  /** Takes as long as a check, so that the response time reveals nothing. */
  async #asIfChecked(): Promise<undefined> {
    await sleep(this.#usual, undefined, { ref: false });
  }

  /** Remembers a correct password, and hashes it again if the cost has been raised since. */
  async #remember(key: string, hash: string, password: string): Promise<void> {
    let current = hash;
    if (isOutdated(hash, this.#cost)) {
      current = await this.#hash(key, password);
      await this.#system.write((db) =>
        db.run(sql`update logins set password_hash = ${current} where login_key = ${key} and password_hash = ${hash}`),
      );
    }
    this.#recent.remember(key, current, password);
  }

  /** Hashing is as expensive as a check, so it waits for its turn too. */
  #hash(name: string, password: string): Promise<string> {
    return this.#checks.run({ name, address: '' }, () => hashPassword(password, this.#cost));
  }

  async #insert(name: string, password: string, granted?: Grant, mustChange = false): Promise<boolean> {
    checkLoginName(name);
    checkPassword(password);
    const key = keyOf(name);
    const hash = await this.#hash(key, password);
    const now = this.#clock.now();
    const made = await this.#system.write(async (db) => {
      if (await isTaken(db, name)) return false;
      const rows = await db.run(sql`
        insert into logins (login_key, name, password_hash, created, password_set, must_change)
        values (${key}, ${name}, ${hash}, ${now}, ${now}, ${mustChange ? 1n : 0n})
        on conflict (login_key) do nothing`);
      if (rows > 0 && granted !== undefined) await setRole(db, name, granted);
      return rows > 0;
    });
    if (made) this.#recent.remember(key, hash, password);
    return made;
  }

  async #find(name: string) {
    return this.#system.read((db) =>
      db.first(
        { name: word, hash: word, mustChange: flag },
        sql`select name as "name", password_hash as "hash", must_change as "mustChange" from logins
            where login_key = ${keyOf(name)} and kind = 'sql'`,
      ),
    );
  }
}

async function exists(db: Db, name: string): Promise<boolean> {
  const found = await db.first({ name: word }, sql`select name as "name" from logins where login_key = ${keyOf(name)}`);
  return found !== undefined;
}
