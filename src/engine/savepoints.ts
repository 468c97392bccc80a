/** The savepoints of a client's transaction: names may repeat and the latest counts, so each gets a name of our own underneath. */
export class Savepoints {
  readonly #names: { readonly name: string; readonly own: string }[] = [];
  #last = 0;

  /** Notes a savepoint and returns what to call it underneath. */
  add(name: string): string {
    const own = `client_${++this.#last}`;
    this.#names.push({ name, own });
    return own;
  }

  /** Forgets the savepoints after the latest of that name and returns that one's own name. */
  backTo(name: string): string | undefined {
    const index = this.#names.findLastIndex((savepoint) => savepoint.name === name);
    if (index < 0) return undefined;
    this.#names.length = index + 1;
    return this.#names[index]?.own;
  }
}
