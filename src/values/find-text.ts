/** Units that are compared between two checks of the clock, times those that are searched for. */
const together = 4_000_000;
/** From this length on a search may go back too often, and is done by one that never does. */
const longNeedle = 16;

/** A position of a text in another, or nothing at a point where others may get their turn. */
type Found = number | undefined;

/**
 * The positions of a text in another from a place on, without overlaps, in a time bounded by the sum of their lengths.
 */
export function placesOf(hay: string, needle: string, from = 0): Generator<Found, void> {
  return needle.length <= longNeedle || needle.length * (hay.length - from) <= together
    ? inWindows(hay, needle, from)
    : withoutGoingBack(hay, needle, from);
}

function* inWindows(hay: string, needle: string, from: number): Generator<Found, void> {
  const length = Math.ceil(together / needle.length) + needle.length;
  for (let start = from; start + needle.length <= hay.length; ) {
    const window = hay.slice(start, start + length);
    let next = 0;
    for (let at = window.indexOf(needle); at >= 0; at = window.indexOf(needle, next)) {
      yield start + at;
      next = at + needle.length;
    }
    // What begins in this window and ends in the next one is found there.
    start += Math.max(next, window.length - needle.length + 1);
    yield undefined;
  }
}

/** Knuth, Morris and Pratt: the matched part determines where to continue. */
function* withoutGoingBack(hay: string, needle: string, from: number): Generator<Found, void> {
  const fallbacks = fallbacksOf(needle);
  let matched = 0;
  for (let at = from; at < hay.length; at++) {
    const unit = hay.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = fallbacks[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched === needle.length) {
      yield at - matched + 1;
      matched = 0;
    }
    if (at % 500_000 === 0) yield undefined;
  }
}

/** For each beginning of the needle, how much of it is its own end as well. */
function fallbacksOf(needle: string): Int32Array {
  const fallbacks = new Int32Array(needle.length);
  for (let at = 1, length = 0; at < needle.length; at++) {
    const unit = needle.charCodeAt(at);
    while (length > 0 && needle.charCodeAt(length) !== unit) length = fallbacks[length - 1] ?? 0;
    if (needle.charCodeAt(length) === unit) length++;
    fallbacks[at] = length;
  }
  return fallbacks;
}
