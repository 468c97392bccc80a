import { fold } from '../../../../src/base/text/collation.ts';

/** A reference as the model keeps it; numbers stand for identifiers. */
export interface Reference {
  readonly site: number;
  readonly database: number;
  readonly application: number;
  path: string;
  readonly host: boolean;
  readonly redirects: boolean;
  readonly upgraded: boolean;
  hidden: boolean;
}

/** An oracle that shares nothing with the server's keys: accents count, case does not. */
const collator = new Intl.Collator('en', { sensitivity: 'accent' });
const samePath = (a: string, b: string) => fold(a) === fold(b);

export const ofType: readonly ((reference: Reference) => boolean)[] = [
  () => true,
  ({ redirects }) => redirects,
  ({ redirects }) => !redirects,
  ({ upgraded }) => upgraded,
];

export type Container = { readonly application: number | null; readonly database: number | null };

/** The site map as a list that is sorted anew for every question. */
export class SiteMap {
  #references: Reference[] = [];

  put(reference: Reference): boolean {
    const taken = this.#references.some(
      (other) =>
        other.site === reference.site &&
        (other.database === reference.database || (!other.hidden && !reference.hidden)),
    );
    if (taken || (!reference.hidden && this.#pathTaken(reference))) return false;
    this.#references.push(reference);
    return true;
  }

  drop(site: number, database?: number): void {
    this.#references = this.#references.filter(
      (reference) => reference.site !== site || (database !== undefined && reference.database !== database),
    );
  }

  hide(site: number, database: number): void {
    const reference = this.#find(site, database);
    if (reference) reference.hidden = true;
  }

  /** False when the reference cannot come back. */
  unhide(site: number, database: number): boolean {
    const reference = this.#find(site, database);
    if (reference === undefined || !reference.hidden) return true;
    if (this.#pathTaken(reference) || this.#references.some((other) => other.site === site && !other.hidden))
      return false;
    reference.hidden = false;
    return true;
  }

  /** False when the name is another's. */
  rename(site: number, path: string): boolean {
    const reference = this.#references.find((other) => other.site === site && !other.hidden && other.host);
    if (reference === undefined) return true;
    if (this.#pathTaken({ ...reference, path })) return false;
    reference.path = path;
    return true;
  }

  bestMatch(prefix: string, type: number, within: Container, scope: number) {
    const byPath = this.#live(type).sort((a, b) => collator.compare(fold(a.path), fold(b.path)) || a.site - b.site);
    const best = byPath.find((reference) => isWithin(reference, within) && startsWith(reference.path, prefix));
    if (best === undefined) return undefined;
    const preceding = byPath.filter(
      (other) =>
        collator.compare(fold(other.path), fold(best.path)) < 0 &&
        (scope !== 1 || other.application === best.application) &&
        (scope !== 2 || other.database === best.database),
    );
    return { ...best, offset: preceding.length };
  }

  page(type: number, within: Container, start: number, size: number, descending: boolean): [number, string][] {
    const sorted = this.#live(type)
      .filter((reference) => isWithin(reference, within))
      .sort((a, b) => (descending ? b.site - a.site : a.site - b.site));
    return sorted.slice(start, start + size).map(({ site, path }) => [site, path]);
  }

  count(database: number | null): number {
    return this.#live(0).filter((reference) => database === null || reference.database === database).length;
  }

  #live(type: number): Reference[] {
    return this.#references.filter((reference) => !reference.hidden && ofType[type]?.(reference));
  }

  #find(site: number, database: number): Reference | undefined {
    return this.#references.find((reference) => reference.site === site && reference.database === database);
  }

  #pathTaken({ site, application, path, host }: Reference): boolean {
    return this.#references.some(
      (other) =>
        !other.hidden &&
        other.site !== site &&
        other.host === host &&
        samePath(other.path, path) &&
        (host || other.application === application),
    );
  }
}

const isWithin = (reference: Reference, { application, database }: Container): boolean =>
  (application === null || reference.application === application) &&
  (database === null || reference.database === database);

const startsWith = (path: string, prefix: string): boolean => fold(path).startsWith(fold(`${prefix}|`).slice(0, -1));
