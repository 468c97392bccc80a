/** A queue of items that workers finish, each durable: what was acknowledged outlasts a power cut. */
export interface Queue extends AsyncDisposable {
  /** What it is, with its version. */
  readonly name: string;
  /** How it is set up, for whoever wants to judge whether that is fair. */
  readonly settings: string;
  /** Adds items; resolves when all of them are on disk. */
  enqueue(items: readonly Item[]): Promise<void>;
  /** Hands out so many items and finishes them; resolves when all that is on disk. */
  finish(items: number): Promise<void>;
}

/** What an item says: a file to be translated and where it goes. */
export interface Item {
  readonly input: string;
  readonly output: string;
}

/** Items that are added with one call. */
export const itemsInABatch = 1000;
/** Clients that add at the same time. */
export const producers = 4;
/** Items that are fetched, and finished, with one call where a queue has calls for that, and how many do so at a time. */
export const itemsFetched = 500;
export const fetchers = 4;
/** Items that are worked on at the same time where each is finished by itself. */
export const workers = 32;

/** Adds items in batches, by several producers at once. */
export async function inBatches(
  items: readonly Item[],
  add: (batch: readonly Item[], producer: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const produce = async (producer: number) => {
    while (next < items.length) {
      const batch = items.slice(next, next + itemsInABatch);
      next += itemsInABatch;
      await add(batch, producer);
    }
  };
  await Promise.all(Array.from({ length: producers }, (_, producer) => produce(producer)));
}
