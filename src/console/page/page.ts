import type { RouteOutput } from '../api/declare.ts';
import type { whoAmI } from '../api/session.ts';
import type { View } from './html.ts';
import type { Place } from './place.ts';

/** Who looks. */
export type Session = RouteOutput<typeof whoAmI>;

/** What a page gets. */
export interface PageProps {
  readonly place: Place;
  readonly session: Session;
}

/** A page: its address, its name, and the module that shows it, loaded at the first visit. */
export interface Page {
  /** Below /console; the page has everything under it too. */
  readonly path: `/${string}`;
  readonly title: string;
  /** The least role that it is of any use to. */
  readonly role?: 'writer' | 'admin';
  load(): Promise<{ view(props: PageProps): View }>;
}
