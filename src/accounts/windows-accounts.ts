import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { ruleBroken, sqlError } from '../base/messages/sql-error.ts';
import type { Stored } from '../base/stored.ts';
import { asSid } from '../base/windows-sid.ts';
import type { Database } from '../engine/db.ts';
import { sql } from '../engine/sql.ts';
import { FairQueue } from './fair-queue.ts';
import { checkPassword, keyOf } from './names.ts';
import { ntHash } from './nt-hash.ts';
import { type Grant, setRole } from './roles-store.ts';
import { isTaken } from './taken-name.ts';
import type { Throttle } from './throttle.ts';
import { checkWindowsName, wellKnownGroup } from './windows-names.ts';

/** The options of a Windows login. */
interface WindowsLogin {
  /** The security identifier of a group; a user is identified by name. */
  readonly sid?: string | undefined;
  /** The password of an account that Granary stores itself, for NTLM. */
  readonly password?: string | undefined;
}

/** A user authenticated by a domain. */
interface WindowsUser {
  /** DOMAIN\name. */
  readonly name: string;
  /** The security identifiers of the user's groups. */
  readonly groups: readonly string[];
  /** The security identifier of the user's domain, to which well-known groups belong. */
  readonly domainSid?: string | undefined;
}

/** A Windows user that is admitted. */
interface Admission {
  /** The name, spelled as the login was created or as the domain reports it. */
  readonly login: string;
  /** The logins whose roles the user has: its own, and those of its groups. */
  readonly through: readonly string[];
}

/**
 * Milliseconds that a check takes for an address with many failures. The check itself costs next to nothing, and a
 * client that disconnects instead of waiting for the answer would otherwise guess at network speed.
 */
const suspectCheck = 60;

const word: Stored<string> = { fromStore: String };
const wordOrNull = { orNull: word };

/**
 * Logins of Windows users and groups, who are authenticated by a domain or, through NTLM, with a hash that is stored
 * here.
 */
export class WindowsAccounts {
  readonly #system: Database;
  readonly #clock: Clock;
  readonly #throttle: Throttle;
  readonly #nobody = randomBytes(16);
  readonly #suspects = new FairQueue(1);

  constructor(system: Database, clock: Clock, throttle: Throttle) {
    this.#system = system;
    this.#clock = clock;
    this.#throttle = throttle;
  }

  /**
   * Creates the login of a Windows user, or of a group if it has a security identifier or a well-known name; 15025 if
   * it is taken.
   */
  async create(name: string, { sid, password }: WindowsLogin = {}, granted?: Grant): Promise<void> {
    checkWindowsName(name);
    const known = asSid(sid ?? name);
    if (sid !== undefined && known === undefined) throw ruleBroken(`'${sid}' is not a security identifier (S-1-5-…).`);
    const kind = known !== undefined || wellKnownGroup(name) !== undefined ? 'group' : 'user';
    if (password !== undefined && kind === 'group') throw ruleBroken(`${name} is a group: it has no password.`);
    if (password !== undefined) checkPassword(password);
    const hash = password === undefined ? null : ntHash(password).toString('hex');
    const now = this.#clock.now();
    const made = await this.#system.write(async (db) => {
      if (await isTaken(db, name)) return false;
      const rows = await db.run(sql`
        insert into logins (login_key, name, password_hash, created, password_set, must_change, kind, sid, nt_hash)
        values (${keyOf(name)}, ${name}, ${''}, ${now}, ${now}, ${0n}, ${kind}, ${known ?? null}, ${hash})
        on conflict (login_key) do nothing`);
      if (rows > 0 && granted !== undefined) await setRole(db, name, granted);
      return rows > 0;
    });
    if (!made) throw sqlError(15025, name);
  }

  /** The logins through which a user is admitted; undefined if there is none. */
  async admit({ name, groups, domainSid }: WindowsUser): Promise<Admission | undefined> {
    const key = keyOf(name);
    const found = await this.#system.read((db) =>
      db.all(
        { key: word, name: word, kind: word, sid: wordOrNull },
        sql`select login_key as "key", name as "name", kind as "kind", sid as "sid" from logins
            where kind = 'group' or (kind = 'user' and login_key = ${key})`,
      ),
    );
    const isIn = new Set(groups);
    const domain = key.slice(0, key.indexOf('\\') + 1);
    const applies = (login: (typeof found)[number]): boolean => {
      if (login.kind === 'user') return true;
      if (login.sid !== null) return isIn.has(login.sid);
      return login.key.startsWith(domain) && isIn.has(`${domainSid}-${wellKnownGroup(login.key)}`);
    };
    const through = found.filter(applies);
    if (through.length === 0) return undefined;
    const own = through.find((login) => login.kind === 'user');
    return { login: own?.name ?? name, through: through.map((login) => login.name) };
  }

  /**
   * Runs a check with the stored hash of an account; undefined if the check fails or there is no such account, which
   * take the same time. Guessing is slowed down, as with passwords.
   */
  async prove(
    name: string,
    address: string,
    proves: (hash: Uint8Array) => boolean,
    signal?: AbortSignal,
  ): Promise<{ readonly login: string } | undefined> {
    const comer = { name: keyOf(name), address };
    return this.#throttle.attempt(
      comer,
      async () => {
        if (this.#throttle.isSuspect(address)) {
          const wait = () => sleep(signal?.aborted ? 0 : suspectCheck, undefined, { ref: false });
          await this.#suspects.run(comer, wait);
          if (signal?.aborted) return undefined;
        }
        const account = await this.#system.read((db) =>
          db.first(
            { name: word, hash: word },
            sql`select name as "name", nt_hash as "hash" from logins
              where login_key = ${keyOf(name)} and kind = 'user' and nt_hash is not null`,
          ),
        );
        const isProven = proves(account === undefined ? this.#nobody : Buffer.from(account.hash, 'hex'));
        return isProven && account !== undefined ? { login: account.name } : undefined;
      },
      signal,
    );
  }

  /** Sets the password of an account that is stored here; false if there is no Windows login of that name. */
  async setPassword(name: string, password: string): Promise<boolean> {
    checkPassword(password);
    const hash = ntHash(password).toString('hex');
    return this.#system.write(async (db) => {
      const login = await db.first(
        { hash: wordOrNull },
        sql`select nt_hash as "hash" from logins where login_key = ${keyOf(name)} and kind <> 'sql'`,
      );
      if (login === undefined) return false;
      if (login.hash === null) throw ruleBroken(`The password of ${name} is kept by its domain.`);
      await db.run(sql`
        update logins set nt_hash = ${hash}, password_set = ${this.#clock.now()} where login_key = ${keyOf(name)}`);
      return true;
    });
  }
}
