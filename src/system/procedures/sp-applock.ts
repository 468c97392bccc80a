import { fold } from '../../base/text/collation.ts';
import { systemProcedure } from '../../procedure/declare.ts';
import { systemSection } from '../../procedure/describe.ts';
import {
  type LockMode,
  type LockOwner,
  type LockResource,
  type LockResult,
  lockModes,
} from '../../procedure/locks/app-locks.ts';
import { nullable, optional } from '../../procedure/param.ts';
import type { SystemCall } from '../../procedure/system-call.ts';
import { int, nvarchar, varchar } from '../../tds/types/index.ts';
import { sysname } from '../names.ts';

const invalid = { code: -999, meaning: 'A parameter is wrong, or there is no transaction to own the lock.' } as const;

const sessionOf = ({ server, spid }: SystemCall) => server.sessions().find((session) => session.spid === spid);

/** The owner that a caller names; undefined for an unknown word, or if there is no transaction. */
function ownerOf(call: SystemCall, word: string | null): LockOwner | undefined {
  if (/^session$/i.test(word ?? '')) return { spid: call.spid, scope: 'Session', login: fold(call.login) };
  const isOpen = (sessionOf(call)?.transactions ?? 0) > 0;
  return /^transaction$/i.test(word ?? '') && isOpen
    ? { spid: call.spid, scope: 'Transaction', login: fold(call.login) }
    : undefined;
}

const modeOf = (word: string | null): LockMode | undefined => lockModes.find((mode) => fold(mode) === fold(word ?? ''));

const resourceOf = ({ database }: SystemCall, name: string, principal: string | null): LockResource => ({
  database,
  principal: principal ?? 'public',
  name,
});

const params = {
  Resource: optional(nvarchar(255), null, 'What is locked: a name that the clients agree on.'),
};
const owner = optional(varchar(32), 'Transaction', 'Whose lock it is: Transaction or Session.');
const principal = optional(sysname, 'public', 'A second name beside the resource.');

/** sp_getapplock: takes a lock that means what its clients agree on. */
export const spGetapplock = systemProcedure({
  name: 'sp_getapplock',
  section: systemSection,
  summary: 'Takes a lock on a name.',
  access: 'none',
  params: {
    ...params,
    LockMode: nullable(varchar(32), 'Shared, Update, IntentShared, IntentExclusive or Exclusive.'),
    LockOwner: owner,
    LockTimeout: optional(int, null, 'Milliseconds to wait, -1 for ever; the session’s lock timeout by default.'),
    DbPrincipal: principal,
  },
  outcomes: {
    granted: { code: 0, meaning: 'The lock was free.' },
    waited: { code: 1, meaning: 'The lock was granted after others had given theirs back.' },
    timedOut: { code: -1, meaning: 'The wait was too long.' },
    cancelled: { code: -2, meaning: 'The call was cancelled.' },
    deadlock: { code: -3, meaning: 'Waiting would never have ended.' },
    invalid,
  },
  async handle(call, { Resource, LockMode, LockOwner, LockTimeout, DbPrincipal }) {
    const owner = ownerOf(call, LockOwner);
    const mode = modeOf(LockMode);
    const timeout = LockTimeout ?? sessionOf(call)?.settings?.lockTimeout ?? -1;
    if (!owner || !mode || Resource === null || timeout < -1) return { outcome: 'invalid' };
    const resource = resourceOf(call, Resource, DbPrincipal);
    return { outcome: outcomes[await call.server.locks.acquire(resource, { owner, mode, timeout }, call.signal)] };
  },
});

const outcomes = {
  granted: 'granted',
  'granted after waiting': 'waited',
  'timed out': 'timedOut',
  cancelled: 'cancelled',
  deadlock: 'deadlock',
} as const satisfies Record<LockResult, string>;

/** sp_releaseapplock: gives such a lock back. */
export const spReleaseapplock = systemProcedure({
  name: 'sp_releaseapplock',
  section: systemSection,
  summary: 'Gives back a lock on a name.',
  access: 'none',
  params: { ...params, LockOwner: owner, DbPrincipal: principal },
  outcomes: { released: { code: 0, meaning: 'The lock was given back.' }, invalid },
  async handle(call, { Resource, LockOwner, DbPrincipal }) {
    const owner = ownerOf(call, LockOwner);
    if (!owner || Resource === null) return { outcome: 'invalid' };
    const released = call.server.locks.release(resourceOf(call, Resource, DbPrincipal), owner);
    await call.server.locks.settled();
    return { outcome: released ? 'released' : 'invalid' };
  },
});
