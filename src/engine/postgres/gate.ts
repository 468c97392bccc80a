/** How a transaction that writes begins. */
interface GateOptions {
  /** True: no other call that writes runs meanwhile; a client's transaction may. */
  readonly alone: boolean;
  /** True: alone, and after every client's transaction that numbers what it writes. */
  readonly serial?: boolean;
  /** True: not serializable, for who locks what it depends on. */
  readonly byRows?: boolean;
  /** True: fails when it would have to wait for a row for longer than a moment. */
  readonly atOnce?: boolean;
  /** Milliseconds to wait for the gate; undefined waits for ever. */
  readonly lockTimeout?: number;
  /** Milliseconds to wait for rows once the gate was passed; undefined leaves it as it is. */
  readonly rowTimeout?: number;
  /** False: fails at once where the gate is not free. */
  readonly waits?: boolean;
}

/** A wait of nothing would fail behind calls that end in a moment, and PostgreSQL reads 0 as no limit. */
const shortestWait = 20;

/**
 * The statements that begin a writing transaction, in one round trip. Writers run side by side, serializable, and hold the
 * gate of their database as sharers; one that must be alone holds it exclusively, which waits for the sharers to end
 * and keeps new ones out. The lock comes before the snapshot, which PostgreSQL takes at the first query: so who was
 * alone sees all that was committed before and cannot conflict with anybody.
 */
export function beginWriting(options: GateOptions): readonly string[] {
  const { alone, serial = false, byRows = false, atOnce = false, lockTimeout, rowTimeout, waits = true } = options;
  const mode = `in ${alone || serial ? 'exclusive' : 'row share'} mode${waits ? '' : ' nowait'}`;
  return [
    `begin isolation level ${byRows ? 'read committed' : 'serializable'}`,
    ...(lockTimeout === undefined ? [] : [limit(lockTimeout)]),
    // First, so that nobody waits at the gate, and keeps others out, for a client that takes its time.
    ...(serial ? [`${serialLock}${waits ? '' : ' nowait'}`] : []),
    `lock table granary_gate ${mode}`,
    ...(rowTimeout === undefined ? [] : [limit(rowTimeout)]),
    atOnce ? numberedAtOnce : numbered,
  ];
}

/**
 * The statements that begin a snapshot which may become a transaction that writes. PostgreSQL sees to it that what it then
 * overwrites, and with `serializable` what it read, was not changed by others.
 */
export const beginSnapshot = (serializable: boolean, longestRest: number): readonly string[] => [
  `begin isolation level ${serializable ? 'serializable' : 'repeatable read'}`,
  `set local idle_in_transaction_session_timeout = ${longestRest}`,
  'select 1',
];

/** The statements with which it begins to write; after a failure the snapshot is still there. */
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
 * The statements that begin a client's transaction. It does not pass the gate: whoever it meets waits for the rows that it has
 * changed, and no longer; it may end in a conflict, which the client hears of as a deadlock.
 */
export function beginClient({ serial = false, lockTimeout }: ClientOptions): readonly string[] {
  return [
    'begin isolation level serializable',
    ...(lockTimeout === undefined ? [] : [limit(lockTimeout)]),
    ...(serial ? [serialLock] : []),
    numbered,
  ];
}

/** Has the transaction say its number, by which it can be asked for when its commit is not answered. */
const numbered = 'select pg_current_xact_id()::text as transaction';

/** The same with the shortest limit that PostgreSQL has for waits, in one statement. */
const numberedAtOnce =
  "select pg_current_xact_id()::text as transaction, set_config('lock_timeout', '1', true) as limited";

/**
 * Whoever numbers what it writes holds this until the end, so that numbers rise in the order of the commits. The table is
 * one that every schema has and nobody else locks; reading it does not wait.
 */
export const serialLock = 'lock table granary_migrations in exclusive mode';

const limit = (milliseconds: number): string =>
  `set local lock_timeout = ${Math.ceil(Math.max(milliseconds, shortestWait))}`;

/**
 * Reads are repeatable read, not serializable: a serializable read can fail half-way, when rows were handed out and
 * nothing can be repeated, and it makes writers fail. A repeatable read sees one state that was really committed, never
 * waits and never fails. (What it gives up: between two writers that overlap it may see the second one's commit before the first's
 * although the only serial order is the other way round.)
 */
export const beginReading: readonly string[] = ['begin isolation level repeatable read read only'];

/** For a read of whole tables, whose planner is to know that they can be read from end to end. */
export const beginScanning: readonly string[] = [...beginReading, 'set local enable_seqscan = on'];
