import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { optional, required } from '../../../procedure/param.ts';
import { bigint, bit, int, smallint, uniqueidentifier } from '../../../tds/types/index.ts';

const longestLease = 86_400;

/** The calling worker. */
export const workerParam = {
  Worker: required(uniqueidentifier, 'The worker: what WorkerServerInstance is said to be.'),
};

/** The requested duration of a worker's leases. */
export const leaseParam = {
  LeaseSeconds: optional(int, 60, `How long the leases run, in seconds: 1 to ${longestLease}.`),
};

/** Which jobs a worker works for. */
export const ownParam = {
  Own: optional(
    bit,
    false,
    "One leaves out all jobs but those whose settings are Granary's own: of `granary job submit`.",
  ),
};

/** What names an item that a worker holds. */
export const heldItem = {
  JobId: required(bigint, 'The job of the item.'),
  GroupId: required(smallint, 'The group of the item.'),
  ItemId: required(int, 'The item.'),
  Lease: required(bigint, 'The lease that it was claimed under.'),
};

/** The milliseconds of a lease. */
export function leaseLength(LeaseSeconds: number | null): number {
  const seconds = LeaseSeconds ?? 60;
  if (seconds < 1 || seconds > longestLease) {
    throw ruleBroken(`@LeaseSeconds is ${seconds}; a lease runs for 1 to ${longestLease} seconds.`);
  }
  return seconds * 1000;
}
