import type { Item } from './item.ts';

/**
 * The batches of which not everything is committed: what is left of them goes back to the queue when the work pauses.
 */
export class TakenBatches {
  readonly #batches = new Map<Item, bigint>();
  readonly #left = new Map<bigint, number>();

  /** The batches of which something is left. */
  get open(): readonly bigint[] {
    return [...this.#left.keys()];
  }

  add(batch: bigint, items: readonly Item[]): void {
    if (items.length === 0) return;
    this.#left.set(batch, items.length);
    for (const item of items) this.#batches.set(item, batch);
  }

  committed(item: Item): void {
    const batch = this.#batches.get(item);
    if (batch === undefined) return;
    this.#batches.delete(item);
    const left = (this.#left.get(batch) ?? 0) - 1;
    if (left > 0) this.#left.set(batch, left);
    else this.#left.delete(batch);
  }
}
