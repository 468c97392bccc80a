const nothing: ReadonlyMap<never, never> = new Map<never, never>();

/** The methods of a map that are used. */
export interface MapLike<K, V> extends Pick<Map<K, V>, 'size' | 'get' | 'has' | 'delete' | 'clear' | 'values'> {
  set(key: K, value: V): unknown;
  [Symbol.iterator](): MapIterator<[K, V]>;
}

/** A map that takes hardly any memory while it is empty: a session has a dozen, most of which stay empty. */
export class LateMap<K, V> implements MapLike<K, V> {
  #map: Map<K, V> | undefined;

  get size(): number {
    return this.#map?.size ?? 0;
  }

  get(key: K): V | undefined {
    return this.#map?.get(key);
  }

  has(key: K): boolean {
    return this.#map?.has(key) === true;
  }

  set(key: K, value: V): this {
    this.#map ??= new Map();
    this.#map.set(key, value);
    return this;
  }

  delete(key: K): boolean {
    return this.#map?.delete(key) === true;
  }

  clear(): void {
    this.#map?.clear();
  }

  values(): MapIterator<V> {
    return (this.#map ?? nothing).values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return (this.#map ?? nothing).entries();
  }
}
