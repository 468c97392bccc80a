/** A lock of this node, or one that it waits for. */
export interface SharedLock {
  readonly name: string;
  readonly mode: number;
}

/** A session of this node that waits for a lock that another node has, and what it and those who wait for it hold. */
export interface SharedWait extends SharedLock {
  readonly held: readonly SharedLock[];
}

/**
 * Locks on names that all nodes of one store see. A node takes a name in a mode as often as it likes and gives it back as
 * often; what it holds ends with the node.
 */
export interface SharedLocks {
  /** How many this node may hold: the store has room for so many without want for its own. */
  readonly most: number;
  /** Takes a name in a mode unless another node holds it in one of the `conflicting` modes; returns whether it did. */
  take(name: string, mode: number, conflicting: readonly number[]): Promise<boolean>;
  give(name: string, mode: number): Promise<void>;
  /**
   * Tells the other nodes what this one's sessions wait for, in place of what it told last, and returns those of the waits that
   * are part of a circle over the nodes and have to end for it to open.
   */
  tellWaits(waits: readonly SharedWait[], conflict: (one: number, other: number) => boolean): Promise<SharedWait[]>;
  /** Is called when all that this node held is lost, because the store has not heard of it for too long. */
  onLost(listener: () => void): void;
}
