/** What a host asks of a robot in its robots.txt (RFC 9309, and the widespread crawl-delay). */
export interface Robots {
  /** Seconds that it wants between two requests. */
  readonly crawlDelay: number;
  allows(url: string): boolean;
}

/** Nothing is forbidden, as where there is no robots.txt. */
export const everythingAllowed: Robots = { crawlDelay: 0, allows: () => true };

/** As much of a robots.txt is read (RFC 9309 2.5 asks for 500 KiB at least). */
export const mostOfRobotsTxt = 512 * 1024;

/** A crawl delay beyond this many seconds is taken for a mistake. */
const longestDelay = 60;

interface Rule {
  readonly path: string;
  readonly isAllowed: boolean;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delay: number;
}

/** Reads a robots.txt for a robot of a name: the groups that name it, or else those for all. */
export function parseRobots(text: string, robot: string): Robots {
  const groups = groupsOf(text);
  const named = groups.filter(({ agents }) => agents.includes(robot.toLowerCase()));
  const own = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  // The longest rule that matches decides, and of two as long the one that allows.
  const rules = own
    .flatMap((group) => group.rules)
    .sort((one, other) => other.path.length - one.path.length || Number(other.isAllowed) - Number(one.isAllowed));
  return {
    crawlDelay: Math.min(longestDelay, Math.max(0, ...own.map(({ delay }) => delay))),
    allows(url) {
      const { pathname, search } = new URL(url);
      if (pathname === '/robots.txt') return true;
      return rules.find(({ path }) => matchesPath(path, pathname + search))?.isAllowed ?? true;
    },
  };
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  let namesAgents = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', given = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const value = given.trim();
    if (/^user-?agent$/i.test(key)) {
      if (!namesAgents || current === undefined) {
        current = { agents: [], rules: [], delay: 0 };
        groups.push(current);
      }
      namesAgents = true;
      current.agents.push(agentOf(value));
    } else if (current !== undefined && /^(dis)?allow$|^crawl-delay$/i.test(key)) {
      namesAgents = false;
      addRule(current, key.toLowerCase(), value);
    }
  }
  return groups;
}

const agentOf = (value: string): string =>
  value === '*' ? value : (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();

function addRule(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') group.delay = Math.max(group.delay, Number(value) || 0);
  // An empty path is no rule.
  else if (value !== '') group.rules.push({ path: sameEscapes(value), isAllowed: key === 'allow' });
}

/** A rule is a beginning of the path; `*` stands for any text, `$` at its end for the end. */
function matchesPath(rule: string, path: string): boolean {
  const isWhole = rule.endsWith('$');
  const pieces = (isWhole ? rule.slice(0, -1) : rule).split('*');
  const text = sameEscapes(path);
  const [first = ''] = pieces;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [place, piece] of pieces.entries()) {
    if (place === 0) continue;
    if (isWhole && place === pieces.length - 1) return text.length - piece.length >= at && text.endsWith(piece);
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isWhole || at === text.length;
}

/** Paths compare in one spelling: escapes in capitals, and letters beyond ASCII escaped (RFC 9309 2.2.2). */
const sameEscapes = (path: string): string =>
  path
    .replace(/[^\0-\x7f]+/gu, (letters) => encodeURIComponent(letters.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (digits) => digits.toUpperCase());
