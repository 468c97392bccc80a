import type { BegunCall, CallEnding } from '../../procedure/call-tap.ts';
import type { WireCall } from '../api/wire.ts';

/** The filter of a viewer. */
export interface WireFilter {
  /** The only login whose calls are visible; undefined for all. */
  readonly own: string | undefined;
  readonly procedure?: string | undefined;
  readonly login?: string | undefined;
  readonly database?: string | undefined;
  readonly session?: number | undefined;
  readonly ended?: 'failed' | 'well' | undefined;
  readonly slower?: number | undefined;
  readonly reveals: boolean;
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether a call may match, judged by its beginning. */
export function mayFit(
  { own, procedure, login, database, session }: WireFilter,
  call: Pick<BegunCall, 'login' | 'name' | 'database' | 'session'>,
): boolean {
  if (own !== undefined && !same(own, call.login)) return false;
  if (session !== undefined && session !== call.session) return false;
  if (login !== undefined && !same(login, call.login)) return false;
  if (database !== undefined && !same(database, call.database)) return false;
  return procedure === undefined || call.name.toLowerCase().includes(procedure.toLowerCase());
}

/** True if only the end of a call decides whether it matches. */
export const asksForEnd = ({ ended, slower }: WireFilter): boolean => ended !== undefined || slower !== undefined;

/** Whether a call that may fit does, by how it ended. */
export function endFits(
  { ended, slower }: WireFilter,
  { error, milliseconds }: Pick<CallEnding, 'milliseconds'> & { readonly error?: unknown },
): boolean {
  const hasFailed = error !== undefined && error !== null;
  if (ended !== undefined && (ended === 'failed') !== hasFailed) return false;
  return slower === undefined || milliseconds >= slower;
}

/** Whether a call that is over fits. */
export const fits = (filter: WireFilter, call: WireCall): boolean => mayFit(filter, call) && endFits(filter, call);
