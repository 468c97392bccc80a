import { ruleBroken, SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { foldedName, systemName } from '../../engine/names.ts';
import type { SessionEntry } from '../../procedure/server-view.ts';
import type { Identity } from '../../tsql/host.ts';
import type { ServerContext } from '../context.ts';
import { CurrentDatabase } from '../current-database.ts';

/** The program name of the server's own workers. */
export const workersProgram = 'granary workers';

/** The database of the login, and the one that the session starts in, which differs when a session is recovered. */
export interface SessionPlaces {
  readonly home: CurrentDatabase;
  readonly current: CurrentDatabase;
}

/** Notified when a session changes its database. */
interface DatabaseListener {
  databaseChanged(to: string, from: string): void;
}

/** Databases as a session sees them: the one it is in, the others by name, and what its login may do with them. */
export class SessionDatabases {
  readonly #context: ServerContext;
  readonly #identity: Identity;
  readonly #home: CurrentDatabase;
  readonly #listener: DatabaseListener;
  #current: CurrentDatabase;

  /** `where` has the database of the login and the current one; `listener` is notified of changes to the latter. */
  constructor(context: ServerContext, identity: Identity, where: SessionPlaces, listener: DatabaseListener) {
    this.#context = context;
    this.#identity = identity;
    this.#home = where.home;
    this.#current = where.current;
    this.#listener = listener;
  }

  get current(): CurrentDatabase {
    return this.#current;
  }

  /** Switches to the database of another request, which its client already knows about. */
  set current(database: CurrentDatabase) {
    this.#current = database;
  }

  async use(name: string): Promise<void> {
    this.#enter(await CurrentDatabase.open(this.#context, this.#identity, name));
  }

  /** Switches back to the database of the login. */
  reset(): void {
    if (this.#current !== this.#home) this.#enter(this.#home);
  }

  #enter(database: CurrentDatabase): void {
    const from = this.#current.name;
    this.#current = database;
    this.#listener.databaseChanged(database.name, from);
  }

  /** The database of that name, by default the current one; 911 or 916 if the login cannot use it. */
  named(name: string | undefined): CurrentDatabase | Promise<CurrentDatabase> {
    if (name === undefined || name.toLowerCase() === this.#current.name.toLowerCase()) return this.#current;
    return CurrentDatabase.open(this.#context, this.#identity, name);
  }

  async hasAccess(name: string): Promise<boolean> {
    try {
      await this.named(name);
      return true;
    } catch (error) {
      if (error instanceof SqlError && (error.number === 916 || error.number === 911)) return false;
      throw error;
    }
  }

  /** CREATE DATABASE is refused, because T-SQL has no syntax for the kind of a database. */
  async create(name: string): Promise<void> {
    if (!this.#identity.isAdministrator) throw sqlError(262, 'CREATE DATABASE', 'master');
    throw ruleBroken(`A database must have a kind: create it with exec sp_create_database N'${name}', N'…'.`);
  }

  /** Drops a database that is not in use; for its admins only, others get 3701 as if it did not exist. */
  async drop(name: string): Promise<void> {
    const { accounts, engine, view } = this.#context;
    if (this.#identity.isReadOnly || (await accounts.roleOfAny(this.#identity.through, name)) !== 'admin')
      throw sqlError(3701, 'drop', 'database', name);
    if (systemName(name) !== undefined) throw sqlError(3708, 'drop', 'database', name, 'database');
    // A session may still be using one that a command has dropped.
    if (!(await engine.list()).some((listed) => foldedName(listed.name) === foldedName(name)))
      throw sqlError(3701, 'drop', 'database', name);
    const inside = view.sessions().filter(({ database }) => foldedName(database) === foldedName(name));
    const [own, others] = [inside.filter(isOwnWorker), inside.filter((session) => !isOwnWorker(session))];
    if (others.length > 0) throw sqlError(3702, name);
    for (const { spid } of own) view.endSession(spid);
    await view.administration.dropDatabase(name);
  }
}

/** The server's own workers wait in every job database; they do not count as users of it. */
const isOwnWorker = ({ address, program }: SessionEntry): boolean => address === '' && program === workersProgram;
