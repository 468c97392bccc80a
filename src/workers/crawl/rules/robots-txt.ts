import { normalEscapes } from '../url/normal-url.ts';

/** What a host asks of a robot in its robots.txt (RFC 9309, and the widespread crawl-delay). */
export interface Robots {
  /** How many rules a URL is compared with. */
  readonly rules: number;
  /** The requested seconds between two requests. */
  readonly crawlDelay: number;
  allows(url: string): boolean;
}

/** Nothing is forbidden: there is no robots.txt. */
export const everythingAllowed: Robots = { rules: 0, crawlDelay: 0, allows: () => true };

/** As much of a robots.txt is read (RFC 9309 2.5 asks for 500 KiB at least). */
export const mostOfRobotsTxt = 512 * 1024;

/** A crawl delay beyond this many seconds is taken for a mistake. */
const longestDelay = 60;

/** A rule is a prefix of the path; `*` matches any text, a final `$` the end. */
interface Rule {
  /** The parts between the asterisks. */
  readonly pieces: readonly string[];
  /** True if the path must end with it. */
  readonly isWhole: boolean;
  readonly length: number;
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
    .sort((one, other) => other.length - one.length || Number(other.isAllowed) - Number(one.isAllowed));
  return {
    rules: rules.length,
    crawlDelay: Math.min(longestDelay, Math.max(0, ...own.map(({ delay }) => delay))),
    allows(url) {
      const { pathname, search } = new URL(url);
      if (pathname === '/robots.txt') return true;
      const path = sameSpelling(pathname + search).replaceAll('*', '%2A');
      return rules.find((rule) => matches(rule, path))?.isAllowed ?? true;
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

const agentOf = (value: string): string => (value === '*' ? value : (/^[\w-]+/.exec(value)?.[0] ?? '').toLowerCase());

function addRule(group: Group, key: string, value: string): void {
  if (key === 'crawl-delay') group.delay = Math.max(group.delay, Number(value) || 0);
  // An empty path is no rule.
  else if (value !== '') group.rules.push(ruleOf(value, key === 'allow'));
}

function ruleOf(value: string, isAllowed: boolean): Rule {
  const isWhole = value.endsWith('$');
  const path = sameSpelling(isWhole ? value.slice(0, -1) : value).replace(/\*+/g, '*');
  return { pieces: path.split('*'), isWhole, length: path.length + Number(isWhole), isAllowed };
}

function matches({ pieces, isWhole }: Rule, path: string): boolean {
  const [first = ''] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (let place = 1; place < pieces.length; place++) {
    const piece = pieces[place] ?? '';
    if (isWhole && place === pieces.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return !isWhole || at === path.length;
}

const escaped = (letters: string): string => encodeURIComponent(letters.toWellFormed());

/**
 * Paths compare in one spelling (RFC 9309 2.2.2): letters beyond ASCII escaped, others only where they must be, and in
 * a query also what separates the parts of a URL. A `$` is escaped too: at the end of a rule it would mean the end
 * (2.2.3).
 */
function sameSpelling(path: string): string {
  const spelled = normalEscapes(path.replace(/[^\0-\x7f]+/gu, escaped)).replaceAll('$', '%24');
  const query = spelled.indexOf('?') + 1;
  return query === 0 ? spelled : spelled.slice(0, query) + spelled.slice(query).replace(/[:/?[\]@]/g, escaped);
}
