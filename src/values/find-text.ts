/** Up to this product of lengths the runtime's own search is quick in its worst case too. */
const quick = 4_000_000;

/** Where a text stands in another from a place on, or -1, in a time that the sum of their lengths bounds. */
export function findText(hay: string, needle: string, from: number): number {
  if (needle.length <= 16 || needle.length * (hay.length - from) <= quick) return hay.indexOf(needle, from);
  const fallbacks = fallbacksOf(needle);
  let matched = 0;
  for (let at = from; at < hay.length; at++) {
    const unit = hay.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = fallbacks[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched === needle.length) return at - matched + 1;
  }
  return -1;
}

let last: { readonly needle: string; readonly fallbacks: Int32Array } | undefined;

/** For each beginning of the needle, how much of it is its own end as well (Knuth, Morris and Pratt). */
function fallbacksOf(needle: string): Int32Array {
  if (last?.needle === needle) return last.fallbacks;
  const fallbacks = new Int32Array(needle.length);
  for (let at = 1, length = 0; at < needle.length; at++) {
    const unit = needle.charCodeAt(at);
    while (length > 0 && needle.charCodeAt(length) !== unit) length = fallbacks[length - 1] ?? 0;
    if (needle.charCodeAt(length) === unit) length++;
    fallbacks[at] = length;
  }
  last = { needle, fallbacks };
  return fallbacks;
}
