/**
 * Locks on names that all nodes of one store see. A node takes a name in a mode as often as it likes and gives it back as
 * often; what it holds ends with the node.
 */
export interface SharedLocks {
  /** Takes a name in a mode unless another node holds it in one of the `conflicting` modes; returns whether it did. */
  take(name: string, mode: number, conflicting: readonly number[]): Promise<boolean>;
  give(name: string, mode: number): Promise<void>;
  /** Is called when all that this node held is lost, because the store has not heard of it for too long. */
  onLost(listener: () => void): void;
}
