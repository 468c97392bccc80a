/** What temporary tables changed inside a transaction, so that a rollback can wind it back. */
export class UndoLog {
  #steps: (() => void)[] = [];
  #active = false;
  readonly #marks = new Map<string, number>();

  /** A transaction has begun: from now on changes are kept. */
  begin(): void {
    if (!this.#active) this.clear();
    this.#active = true;
  }

  /** Remembers how to undo a change; nothing is kept outside a transaction. */
  record(undo: () => void): void {
    if (this.#active) this.#steps.push(undo);
  }

  save(name: string): void {
    this.#marks.set(name, this.#steps.length);
  }

  /** Winds back to a savepoint, or to the begin of the transaction. */
  rollback(savepoint?: string): void {
    const mark = savepoint === undefined ? 0 : (this.#marks.get(savepoint) ?? 0);
    while (this.#steps.length > mark) this.#steps.pop()?.();
    if (savepoint === undefined) this.clear();
  }

  /** The transaction has ended. */
  clear(): void {
    this.#steps = [];
    this.#active = false;
    this.#marks.clear();
  }
}
