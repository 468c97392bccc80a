/** Tells whether a URL matches a pattern as a whole, whatever the case of its letters. */
export type Pattern = (url: string) => boolean;

/**
 * Parses a pattern: `*` matches any text, `?` any one character. Matching backtracks no further than to the last `*`,
 * so that no pattern takes long.
 */
export function wildcard(pattern: string): Pattern {
  const wanted = pattern.toLowerCase();
  return (url) => matches(wanted, url.toLowerCase());
}

function matches(pattern: string, text: string): boolean {
  let at = 0;
  let inText = 0;
  let star = -1;
  let resume = 0;
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = inText;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[inText])) {
      at++;
      inText++;
    } else if (star >= 0) {
      at = star + 1;
      inText = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
