/** What temporary tables changed inside a transaction, so that a rollback can wind it back. */
export class UndoLog {
  #steps: { readonly undo: () => void; readonly settle?: (() => void) | undefined }[] = [];
  #active = false;
  readonly #marks = new Map<string, number>();

  /** A transaction has begun: from now on changes are kept. */
  begin(): void {
    if (!this.#active) this.clear();
    this.#active = true;
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** Remembers how to undo a change, and what is to be done when it stays; nothing is kept outside a transaction. */
  record(undo: () => void, settle?: () => void): void {
    if (this.#active) this.#steps.push({ undo, settle });
  }

  save(name: string): void {
    this.#marks.set(name, this.#steps.length);
  }

  /** Winds back to a savepoint, or to the begin of the transaction. */
  rollback(savepoint?: string): void {
    const mark = savepoint === undefined ? 0 : (this.#marks.get(savepoint) ?? 0);
    while (this.#steps.length > mark) this.#steps.pop()?.undo();
    if (savepoint === undefined) this.clear();
  }

  /** The transaction has ended; what changed in it stays. */
  clear(): void {
    for (const { settle } of this.#steps) settle?.();
    this.#steps = [];
    this.#active = false;
    this.#marks.clear();
  }
}
