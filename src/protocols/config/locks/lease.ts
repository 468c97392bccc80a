import { type LockStatus, lockStatus } from './lock-status.ts';

const minute = 60_000;

/**
 * The moment before which a lease must have begun to be expired; NULL minutes: no lease ever expires. A lock that a
 * call finds was taken before that call, so with 0 minutes it is expired even when the clock has not moved on in
 * between.
 */
export function expiredBefore(now: Date, timeoutMinutes: number | null): Date | null {
  if (timeoutMinutes === null) return null;
  return new Date(timeoutMinutes === 0 ? now.getTime() + 1 : now.getTime() - timeoutMinutes * minute);
}

/** A lock as it is stored. */
interface Lease {
  readonly ServerId: string;
  readonly LockTime: Date;
}

/**
 * The status of a lock for a server that requests it (3.1.5.2): its own lock is its own whether expired or not;
 * another's is free only once it is older than the timeout. At exactly that age, of a minute or more, it is still held.
 */
export function statusFor(server: string, present: Lease | undefined, expiry: Date | null): LockStatus {
  if (present === undefined || present.ServerId === server) return lockStatus.held;
  const expired = expiry !== null && present.LockTime.getTime() < expiry.getTime();
  return expired ? lockStatus.overtaken : lockStatus.heldByAnother;
}
