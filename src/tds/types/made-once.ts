/**
 * Caches what is created for a key: a request names its types each time, and creating a type costs more than reading
 * its value.
 */
export function madeOnce<Key, Made extends object>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
