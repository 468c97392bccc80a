import type { MapLike } from '../../base/late-map.ts';

/**
 * Objects that all sessions see, by folded name. Those that end with the session that made them (`##t`) are indexed by
 * it, so that the end of a session does not depend on how many objects other sessions have made.
 */
export class MadeObjects<T> implements MapLike<string, T> {
  readonly #all = new Map<string, T>();
  readonly #byMaker = new Map<number, Set<string>>();
  readonly #makerOf: (object: T) => number | undefined;

  constructor(makerOf: (object: T) => number | undefined) {
    this.#makerOf = makerOf;
  }

  /** The names of those that end with a session. */
  madeBy(spid: number): readonly string[] {
    return [...(this.#byMaker.get(spid) ?? [])];
  }

  hasMade(spid: number): boolean {
    return this.#byMaker.has(spid);
  }

  get size(): number {
    return this.#all.size;
  }

  get(name: string): T | undefined {
    return this.#all.get(name);
  }

  has(name: string): boolean {
    return this.#all.has(name);
  }

  set(name: string, object: T): this {
    this.delete(name);
    this.#all.set(name, object);
    const maker = this.#endingWith(name, object);
    if (maker !== undefined) this.#byMaker.set(maker, (this.#byMaker.get(maker) ?? new Set()).add(name));
    return this;
  }

  delete(name: string): boolean {
    const object = this.#all.get(name);
    if (object === undefined) return false;
    const maker = this.#endingWith(name, object);
    const names = maker === undefined ? undefined : this.#byMaker.get(maker);
    names?.delete(name);
    if (maker !== undefined && names?.size === 0) this.#byMaker.delete(maker);
    return this.#all.delete(name);
  }

  clear(): void {
    this.#all.clear();
    this.#byMaker.clear();
  }

  values(): MapIterator<T> {
    return this.#all.values();
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.#all.entries();
  }

  /** The session that an object ends with, if it does. */
  #endingWith(name: string, object: T): number | undefined {
    return name.startsWith('##') ? this.#makerOf(object) : undefined;
  }
}
