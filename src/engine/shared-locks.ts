/** A lock that this node holds or waits for. */
export interface SharedLock {
  readonly name: string;
  readonly mode: number;
}

/**
 * A session of this node that waits for a lock held by another node, with the locks that it and the sessions waiting
 * for it hold.
 */
export interface SharedWait extends SharedLock {
  readonly held: readonly SharedLock[];
}

/**
 * Named locks that all nodes of one store see. A node may take a name in a mode several times and releases it as many
 * times; its locks end with the node.
 */
export interface SharedLocks {
  /** The maximum number of locks of this node, which leaves the store enough room for its own. */
  readonly most: number;
  /** Takes a name in a mode unless another node holds it in one of the `conflicting` modes; returns whether it did. */
  take(name: string, mode: number, conflicting: readonly number[]): Promise<boolean>;
  give(name: string, mode: number): Promise<void>;
  /**
   * Publishes what this node's sessions wait for, replacing what was published before, and returns those waits that are
   * part of a deadlock across nodes and have to be ended to break it.
   */
  tellWaits(waits: readonly SharedWait[], conflict: (one: number, other: number) => boolean): Promise<SharedWait[]>;
  /**
   * The listener is called when all locks of this node are lost, because the store has not heard from it for too long.
   */
  onLost(listener: () => void): void;
}
