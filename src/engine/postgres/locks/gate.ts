/** How a writing transaction begins. */
interface GateOptions {
  /** True: no other writing call runs meanwhile; a client's transaction may. */
  readonly alone: boolean;
  /** True: exclusive, and after every client's transaction that assigns sequential numbers. */
  readonly serial?: boolean;
  /** True: not serializable, for work that locks what it depends on. */
  readonly byRows?: boolean;
  /** True: fails if it would have to wait for a row for more than a moment. */
  readonly atOnce?: boolean;
  /** Milliseconds to wait for the gate; undefined waits indefinitely. */
  readonly lockTimeout?: number;
  /** Milliseconds to wait for rows after the gate; undefined leaves the setting unchanged. */
  readonly rowTimeout?: number;
  /** False: fails at once if the gate is not free. */
  readonly waits?: boolean;
}

/** A timeout of 0 means no limit in PostgreSQL, and a very short one would fail behind calls that end in a moment. */
const shortestWait = 20;

/**
 * The statements that begin a writing transaction, in one round trip. Writers run concurrently, serializable, and hold
 * the gate of their database in shared mode. One that must be exclusive locks it exclusively, which waits for the
 * sharers to end and keeps new ones out. The lock comes before the snapshot, which PostgreSQL takes at the first query:
 * so an exclusive writer sees everything committed before it and cannot conflict with anybody.
 */
export function beginWriting(options: GateOptions): readonly string[] {
  const { alone, serial = false, byRows = false, atOnce = false, lockTimeout, rowTimeout, waits = true } = options;
  const mode = `in ${alone || serial ? 'exclusive' : 'row share'} mode${waits ? '' : ' nowait'}`;
  return [
    `begin isolation level ${byRows ? 'read committed' : 'serializable'}`,
    ...(lockTimeout === undefined ? [] : [limit(lockTimeout)]),
    // Taken first, so that nobody waits at the gate, blocking others, for a slow client.
    ...(serial ? [`${serialLock}${waits ? '' : ' nowait'}`] : []),
    `lock table granary_gate ${mode}`,
    ...(rowTimeout === undefined ? [] : [limit(rowTimeout)]),
    atOnce ? numberedAtOnce : numbered,
  ];
}

/**
 * The statements that begin a snapshot which may become a writing transaction. PostgreSQL ensures that what it then
 * overwrites and, with `serializable`, what it read was not changed by others.
 */
export const beginSnapshot = (serializable: boolean, longestRest: number): readonly string[] => [
  `begin isolation level ${serializable ? 'serializable' : 'repeatable read'}`,
  `set local idle_in_transaction_session_timeout = ${longestRest}`,
  'select 1',
];

/** The statements that make it a writer; if they fail, the snapshot is still usable. */
export function beginClaim({ serial = false, lockTimeout }: ClientOptions): readonly string[] {
  return [
    'savepoint claim',
    ...(lockTimeout === undefined ? [] : [limit(lockTimeout)]),
    ...(serial ? [serialLock] : []),
    'release claim',
    numbered,
  ];
}

/** How a client's transaction begins to write. */
type ClientOptions = Pick<GateOptions, 'serial' | 'lockTimeout'>;

/**
 * The statements that begin a client's transaction. It does not take the gate: others wait only for the rows that it
 * has changed. It may end in a conflict, which is reported to the client as a deadlock.
 */
export function beginClient({ serial = false, lockTimeout }: ClientOptions): readonly string[] {
  return [
    'begin isolation level serializable',
    ...(lockTimeout === undefined ? [] : [limit(lockTimeout)]),
    ...(serial ? [serialLock] : []),
    numbered,
  ];
}

/** Makes the transaction return its number, by which its status can be queried if its commit is not answered. */
const numbered = 'select pg_current_xact_id()::text as transaction';

/** The same with the shortest lock timeout of PostgreSQL, in one statement. */
const numberedAtOnce =
  "select pg_current_xact_id()::text as transaction, set_config('lock_timeout', '1', true) as limited";

/**
 * A transaction that assigns sequential numbers holds this until its end, so that numbers increase in commit order.
 * Every schema has this table and nobody else locks it; reading it does not wait.
 */
export const serialLock = 'lock table granary_migrations in exclusive mode';

const limit = (milliseconds: number): string =>
  `set local lock_timeout = ${Math.ceil(Math.max(milliseconds, shortestWait))}`;

/**
 * Reads are repeatable read, not serializable: a serializable read can fail half-way, when rows have been sent and
 * nothing can be retried, and it makes writers fail. A repeatable read sees one committed state, never waits and never
 * fails. (The price: between two overlapping writers it may see the second one's commit before the first's although the
 * only serial order is the reverse.)
 */
export const beginReading: readonly string[] = ['begin isolation level repeatable read read only'];

/** For a read of whole tables: the planner should consider scanning them from end to end. */
export const beginScanning: readonly string[] = [...beginReading, 'set local enable_seqscan = on'];
