import type { Place } from '../place.ts';

/** What each part of the search page gets. */
export interface PartProps {
  readonly place: Place;
  /** Where the database is, below /console. */
  readonly base: string;
  readonly database: string;
  /** What the address says behind the part. */
  readonly rest: readonly string[];
  readonly mayAct: boolean;
}
