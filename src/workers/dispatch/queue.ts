import type { ItemError } from '../../protocols/jobs/item-errors.ts';
import type { ItemName, WorkItem } from './work-item.ts';

/** The claim of an item has ended: another worker has it, or it is done. */
export class LeaseOver extends Error {
  override readonly name = 'LeaseOver';
}

/** An item that a worker still holds. */
export interface StillHeld extends ItemName {
  /** Its job was cancelled meanwhile. */
  readonly Canceled: boolean;
}

/** The source of items, to which their results are reported. */
export interface WorkQueue {
  /** Takes items on, up to a number; none when there are none. */
  claim(count: number): Promise<readonly WorkItem[]>;
  /** Resolves when there may be something to claim, or after a while. */
  wait(signal: AbortSignal): Promise<void>;
  /** Milliseconds for which a claim holds unless it is renewed; undefined where claims do not run out. */
  readonly lease: number | undefined;
  /** Renews all claims and returns the items that are still held. */
  renew(): Promise<readonly StillHeld[]>;
  /** Records the digest of an output before it is stored, if given, and returns the one recorded before. */
  noteOutput(item: WorkItem, digest?: string): Promise<string | undefined>;
  /** Says that an item is done; with others still to come, it may wait a moment for theirs. */
  finish(item: WorkItem, isLast: boolean): Promise<void>;
  fail(item: WorkItem, error: ItemError, message: string): Promise<void>;
  /** Puts an item back as if it had not been begun. */
  giveBack(item: WorkItem): Promise<void>;
  /** The worker ends. */
  end(): Promise<void>;
}
