import type { Entry } from './catalog.ts';
import { foldedName } from './names.ts';

/** An open database of an engine. */
export interface Closable {
  close(): Promise<void>;
}

/** The databases that are open in this process, by their ids in the list. */
export class OpenDatabases<D extends Closable> {
  readonly #opened = new Map<number, { readonly entry: Entry; readonly database: Promise<D> }>();

  /**
   * The database of an entry, opened once however many callers ask for it at the same time; a failure is not cached.
   */
  get(entry: Entry, open: () => Promise<D>): Promise<D> {
    const known = this.#opened.get(entry.id);
    if (known !== undefined) return known.database;
    const database = open();
    this.#opened.set(entry.id, { entry, database });
    database.catch(() => this.#opened.delete(entry.id));
    return database;
  }

  /** All open databases; those that could not be opened are left out. */
  async all(): Promise<D[]> {
    const opened = await Promise.allSettled([...this.#opened.values()].map(({ database }) => database));
    return opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  /** Closes a database that is open under a name but no longer listed, because another process has dropped it. */
  async closeForgotten(name: string, listed: Entry | undefined): Promise<void> {
    for (const { entry } of [...this.#opened.values()]) {
      if (foldedName(entry.name) === foldedName(name) && entry.id !== listed?.id) await this.close(entry.id);
    }
  }

  async close(id: number): Promise<void> {
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    const database = await opened?.database.catch(() => undefined);
    await database?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((id) => this.close(id)));
  }
}
