import { LateMap } from '../../base/late-map.ts';
import type { Steps } from '../../base/threads/steps.ts';

/** How to undo a change: at once, or in the steps that are returned. */
type Undo = () => Steps<void> | undefined;

/** Changes that are undone between two checks of the clock. */
const between = 128;

/** What temporary tables changed inside a transaction, so that a rollback can wind it back. */
export class UndoLog {
  #steps: { readonly undo: Undo; readonly settle?: (() => void) | undefined }[] = [];
  #active = false;
  readonly #marks = new LateMap<string, number>();

  /** A transaction has begun: from now on changes are kept. */
  begin(): void {
    if (!this.#active) this.clear();
    this.#active = true;
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** Records how to undo a change, and what to do once it is final; nothing is recorded outside a transaction. */
  record(undo: () => void, settle?: () => void): void {
    this.recordSteps(() => {
      undo();
      return undefined;
    }, settle);
  }

  /** The same for one that may take long to undo. */
  recordSteps(undo: Undo, settle?: () => void): void {
    if (this.#active) this.#steps.push({ undo, settle });
  }

  save(name: string): void {
    this.#marks.set(name, this.#steps.length);
  }

  /** Winds back to a savepoint, or to the begin of the transaction; in steps that must all be done. */
  *rollback(savepoint?: string): Steps<void> {
    const mark = savepoint === undefined ? 0 : (this.#marks.get(savepoint) ?? 0);
    while (this.#steps.length > mark) {
      const work = this.#steps.pop()?.undo();
      if (work !== undefined) yield* work;
      if (this.#steps.length % between === 0) yield;
    }
    if (savepoint === undefined) this.clear();
  }

  /** Takes over what another has kept, which ends with it. */
  adopt(other: UndoLog): void {
    if (this.#active) for (const step of other.#steps.splice(0)) this.#steps.push(step);
    other.clear();
  }

  /** The transaction has ended; what changed in it stays. */
  clear(): void {
    for (const { settle } of this.#steps) settle?.();
    this.#steps = [];
    this.#active = false;
    this.#marks.clear();
  }
}
