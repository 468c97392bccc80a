import { sqlError } from '../../base/sql-error.ts';

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

/** The bits of ccopt; of the ways to update none is offered. */
export const concurrencyBits = { readOnly: 0x1, allowDirect: 0x2000, checkAccepted: 0x8000 } as const;

const types = 0x1f;
/** The bits that say what a client would accept stand so much higher than those that say what it wants. */
const acceptable = 16;

export type ApiCursorType = 'static' | 'forwardOnly' | 'fastForward';

/** What a cursor of the API became of what its client asked for. */
export interface ApiOptions {
  readonly type: ApiCursorType;
  readonly parameterized: boolean;
  readonly autoFetch: boolean;
  readonly autoClose: boolean;
  /** True when a statement without rows may simply be run. */
  readonly allowDirect: boolean;
}

function typeOf(scroll: number, procedure: string): ApiCursorType {
  switch (scroll & types || scrollBits.keyset) {
    case scrollBits.forwardOnly:
      return 'forwardOnly';
    case scrollBits.fastForward:
      return 'fastForward';
    case scrollBits.static:
    case scrollBits.keyset:
    case scrollBits.dynamic:
      return 'static';
    default:
      throw sqlError(16902, procedure, 'scrollopt');
  }
}

/** Of what a client would accept, the best that there is: 16955 when that is nothing. */
function accepted(scroll: number, type: ApiCursorType): ApiCursorType {
  if ((scroll & scrollBits.checkAccepted) === 0) return type;
  const order: readonly ApiCursorType[] = [type, 'static', 'fastForward', 'forwardOnly'];
  const found = order.find((each) => ((scroll >>> acceptable) & scrollBits[each]) !== 0);
  if (found === undefined) throw sqlError(16955);
  return found;
}

/** Reads scrollopt and ccopt: keyset and dynamic cursors become static ones, and every cursor is read-only. */
export function apiOptions(scroll: number, concurrency: number, procedure: string): ApiOptions {
  const type = accepted(scroll, typeOf(scroll, procedure));
  const wantsCheck = (concurrency & concurrencyBits.checkAccepted) !== 0;
  if (wantsCheck && ((concurrency >>> acceptable) & concurrencyBits.readOnly) === 0) throw sqlError(16955);
  const has = (bit: number): boolean => (scroll & bit) !== 0;
  return {
    type,
    parameterized: has(scrollBits.parameterized),
    autoFetch: has(scrollBits.autoFetch),
    autoClose: has(scrollBits.autoClose),
    allowDirect: (concurrency & concurrencyBits.allowDirect) !== 0,
  };
}
