/** What of a content source is crawled, and how. */
export interface SourceRules {
  /** How many hosts away from that of its start address a page may be. */
  readonly hostHops: number;
  /** How many links away from its start address a page may be. */
  readonly depth: number;
  /** Patterns, one of which a URL must match; none for all. `*` matches any text, `?` any character. */
  readonly include: readonly string[];
  /** Patterns of which a URL must match none. */
  readonly exclude: readonly string[];
  /** Milliseconds between two requests to a host, whichever component makes them. */
  readonly interval: number;
  /** Whether robots.txt, and the robots directives of pages, are followed. */
  readonly robots: boolean;
  /** How often an item is tried again at once after an error that may pass. */
  readonly retries: number;
  /** The number of Access Denied or Object Not Found errors, and their age in hours, after which an item is deleted. */
  readonly errorDeleteCount: number;
  readonly errorDeleteHours: number;
  /** The same for all other errors. */
  readonly errorCount: number;
  readonly errorHours: number;
  /** The share of a source, in percent, that the unvisited pass deletes without being asked to. */
  readonly deleteShare: number;
}

/** The counts and hours are those of SharePoint 2010, from memory. */
export const defaultRules: SourceRules = {
  hostHops: 0,
  depth: 100,
  include: [],
  exclude: [],
  interval: 100,
  robots: true,
  retries: 2,
  errorDeleteCount: 10,
  errorDeleteHours: 240,
  errorCount: 15,
  errorHours: 360,
  deleteShare: 20,
};

/** Thrown for malformed rules. */
export class WrongRules extends Error {
  override readonly name = 'WrongRules';
}

/**
 * Reads stored rules, which are JSON; missing ones have their defaults, unknown ones and those of a wrong type are
 * errors.
 */
export function parseRules(text: string): SourceRules {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new WrongRules('The rules of a content source are a JSON object.');
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new WrongRules('The rules of a content source are a JSON object.');
  }
  for (const [name, value] of Object.entries(given)) checkRule(name, value);
  return { ...defaultRules, ...given };
}

function checkRule(name: string, value: unknown): void {
  if (!Object.hasOwn(defaultRules, name)) throw new WrongRules(`There is no crawl rule '${name}'.`);
  const usual = defaultRules[name as keyof SourceRules];
  if (Array.isArray(usual)) {
    if (Array.isArray(value) && value.every((pattern) => typeof pattern === 'string' && pattern !== '')) return;
    throw new WrongRules(`${name} is a list of patterns.`);
  }
  if (typeof usual === 'boolean') {
    if (typeof value === 'boolean') return;
    throw new WrongRules(`${name} is true or false.`);
  }
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0x7fffffff) return;
  throw new WrongRules(`${name} is a non-negative integer.`);
}
