/** How a transaction that writes begins. */
interface GateOptions {
  /** True: no other writer of the database runs meanwhile. */
  readonly alone: boolean;
  /** Milliseconds to wait for locks; undefined waits for ever. */
  readonly lockTimeout?: number;
  /** False: fails at once where the gate is not free. */
  readonly waits?: boolean;
}

/** A wait of nothing would fail behind calls that end in a moment, and PostgreSQL reads 0 as no limit. */
const shortestWait = 20;

/**
 * The text that begins a writing transaction, in one round trip. Writers run side by side, serializable, and hold the
 * gate of their database as sharers; one that must be alone holds it exclusively, which waits for the sharers to end
 * and keeps new ones out. The lock comes before the snapshot, which PostgreSQL takes at the first query: so who was
 * alone sees all that was committed before and cannot conflict with anybody.
 */
export function beginWriting({ alone, lockTimeout, waits = true }: GateOptions): string {
  const limit =
    lockTimeout === undefined ? '' : `set local lock_timeout = ${Math.ceil(Math.max(lockTimeout, shortestWait))}; `;
  const mode = alone ? 'exclusive' : 'row share';
  return `begin isolation level serializable; ${limit}lock table granary_gate in ${mode} mode${waits ? '' : ' nowait'}`;
}

/**
 * The text that begins a snapshot which may become a transaction that writes. PostgreSQL sees to it that what it then
 * overwrites, and with `serializable` what it read, was not changed by others.
 */
export const beginSnapshot = (serializable: boolean): string =>
  `begin isolation level ${serializable ? 'serializable' : 'repeatable read'}; select 1`;

/** The text with which it takes the gate; after a failure the snapshot is still there. */
export function claimGate(lockTimeout: number | undefined): string {
  const limit =
    lockTimeout === undefined ? '' : `set local lock_timeout = ${Math.ceil(Math.max(lockTimeout, shortestWait))}; `;
  return `savepoint claim; ${limit}lock table granary_gate in exclusive mode; release claim`;
}

/**
 * Reads are repeatable read, not serializable: a serializable read can fail half-way, when rows were handed out and
 * nothing can be repeated, and it makes writers fail. A repeatable read sees one state that was really committed, never
 * waits and never fails. (What it gives up: between two writers that overlap it may see the second one's commit before the first's
 * although the only serial order is the other way round.)
 */
export const beginReading = 'begin isolation level repeatable read read only';
