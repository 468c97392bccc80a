/** So often a segment of a path may occur before the path looks like one without an end. */
const mostRepeats = 3;
const mostSegments = 40;
const mostParameters = 20;

/** True for URLs as traps make them: paths that go round in circles, or that have no end. */
export function looksLikeTrap(url: string): boolean {
  const { pathname, searchParams } = new URL(url);
  if (searchParams.size > mostParameters) return true;
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > mostSegments) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > mostRepeats) return true;
    counts.set(segment, count);
  }
  return false;
}
