/**
 * The savepoints of a client's transaction. Their names may repeat, and the latest one counts, so each gets a unique
 * name in the engine.
 */
export class Savepoints {
  readonly #names: { readonly name: string; readonly own: string }[] = [];
  #last = 0;

  /** Adds a savepoint and returns its name in the engine. */
  add(name: string): string {
    const own = `client_${++this.#last}`;
    this.#names.push({ name, own });
    return own;
  }

  /** Drops the savepoints that came after the latest of that name, and returns the engine's name for that one. */
  backTo(name: string): string | undefined {
    const index = this.#names.findLastIndex((savepoint) => savepoint.name === name);
    if (index < 0) return undefined;
    this.#names.length = index + 1;
    return this.#names[index]?.own;
  }
}
