import type { Place } from '../place.ts';

/** What each part of the configuration gets. */
export interface PartProps {
  readonly place: Place;
  /** Where the database is, below /console. */
  readonly base: string;
  readonly database: string;
  /** The address after the part. */
  readonly rest: readonly string[];
}
