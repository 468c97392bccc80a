import { sqlError } from '../../base/messages/sql-error.ts';

/** The bits of scrollopt. */
export const scrollBits = {
  keyset: 0x1,
  dynamic: 0x2,
  forwardOnly: 0x4,
  static: 0x8,
  fastForward: 0x10,
  parameterized: 0x1000,
  autoFetch: 0x2000,
  autoClose: 0x4000,
  checkAccepted: 0x8000,
} as const;

/** The bits of ccopt. */
export const concurrencyBits = {
  readOnly: 0x1,
  scrollLocks: 0x2,
  optimistic: 0x4,
  optimisticValues: 0x8,
  allowDirect: 0x2000,
  checkAccepted: 0x8000,
} as const;

const typeMask = 0x1f;
const concurrencyMask = 0xf;
/** The bits for what a client accepts are shifted by this from those for what it requests. */
const acceptable = 16;

const cursorTypes = ['static', 'keyset', 'dynamic', 'forwardOnly', 'fastForward'] as const;
export type ApiCursorType = (typeof cursorTypes)[number];
/** The concurrency mode: read-only, locks, or optimistic by checking whether a row has changed. */
const concurrencyKinds = ['readOnly', 'scrollLocks', 'optimistic', 'optimisticValues'] as const;
type ApiConcurrency = (typeof concurrencyKinds)[number];

/** What a client requests, or what its cursor actually got. */
export interface ApiOptions {
  readonly type: ApiCursorType;
  readonly concurrency: ApiConcurrency;
  readonly parameterized: boolean;
  readonly autoFetch: boolean;
  readonly autoClose: boolean;
  /** True when a statement without rows may simply be run. */
  readonly allowDirect: boolean;
  /** What the client accepts; undefined if it leaves that open. */
  readonly accepts: { readonly types?: number; readonly concurrencies?: number };
}

const byBit = <N extends string>(names: readonly N[], bits: Readonly<Record<N, number>>): ReadonlyMap<number, N> =>
  new Map(names.map((name) => [bits[name], name]));
const types = byBit(cursorTypes, scrollBits);
const concurrencies = byBit(concurrencyKinds, concurrencyBits);

/** Parses scrollopt and ccopt. */
export function apiOptions(scroll: number, concurrency: number, procedure: string): ApiOptions {
  const type = types.get(scroll & typeMask || scrollBits.keyset);
  if (type === undefined) throw sqlError(16902, procedure, 'scrollopt');
  const wanted = concurrencies.get(concurrency & concurrencyMask || concurrencyBits.optimistic);
  if (wanted === undefined) throw sqlError(16902, procedure, 'ccopt');
  const has = (bit: number): boolean => (scroll & bit) !== 0;
  const checks = (concurrency & concurrencyBits.checkAccepted) !== 0;
  return {
    type,
    concurrency: wanted,
    parameterized: has(scrollBits.parameterized),
    autoFetch: has(scrollBits.autoFetch),
    autoClose: has(scrollBits.autoClose),
    allowDirect: (concurrency & concurrencyBits.allowDirect) !== 0,
    accepts: {
      ...(has(scrollBits.checkAccepted) ? { types: scroll >>> acceptable } : {}),
      ...(checks ? { concurrencies: concurrency >>> acceptable } : {}),
    },
  };
}

/** Whether a cursor with these options rereads its rows, if its query allows that. */
export function wantsPositions({ type, concurrency, accepts }: ApiOptions): boolean {
  if (accepts.types !== undefined && (accepts.types & scrollBits[type]) === 0) return false;
  return type === 'keyset' || type === 'dynamic' || (type === 'forwardOnly' && concurrency !== 'readOnly');
}

/**
 * The final options once it is known whether the cursor can reread its rows: 16955 if the client accepts none of them.
 */
export function settledOptions(wanted: ApiOptions, isPositioned: boolean): ApiOptions {
  const type = settledType(wanted, isPositioned);
  const canChange = isPositioned && type !== 'static' && type !== 'fastForward';
  const concurrency = canChange ? wanted.concurrency : 'readOnly';
  const { concurrencies: accepted } = wanted.accepts;
  if (accepted !== undefined && (accepted & concurrencyBits[concurrency]) === 0) throw sqlError(16955);
  return { ...wanted, type, concurrency };
}

/** A keyset or dynamic cursor over anything but tables in memory becomes a copy. */
function settledType({ type: wanted, accepts }: ApiOptions, isPositioned: boolean): ApiCursorType {
  const own = !isPositioned && (wanted === 'keyset' || wanted === 'dynamic') ? 'static' : wanted;
  if (accepts.types === undefined) return own;
  const order: readonly ApiCursorType[] = [own, 'static', 'fastForward', 'forwardOnly'];
  const found = order.find((each) => ((accepts.types ?? 0) & scrollBits[each]) !== 0);
  if (found === undefined) throw sqlError(16955);
  return found;
}
