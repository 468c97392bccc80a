import { hostOf } from '../url/normal-url.ts';
import { type Pattern, wildcard } from './pattern.ts';
import type { SourceRules } from './source-rules.ts';
import { looksLikeTrap } from './trap.ts';

/** The position of a link, as the fields of the same names in the Links set count it (3.1.1.5). */
interface Depths {
  readonly hostDepth: number;
  readonly enumerationDepth: number;
}

/** The page that a link was found on. */
interface Source extends Depths {
  readonly url: string;
  readonly isStartAddress: boolean;
}

/** Whether a link is followed; if it is not, because of its URL, or of the way that led to it. */
type Decision = { readonly follow: true } & Depths;
type Refusal = { readonly follow: false; readonly because: 'rule' | 'hops' | 'depth' };

/** What a content source includes: decided for each link where it is found. */
export class Scope {
  readonly #rules: SourceRules;
  readonly #include: readonly Pattern[];
  readonly #exclude: readonly Pattern[];
  readonly #starts: ReadonlySet<string>;
  readonly #startHosts: ReadonlySet<string>;

  constructor(rules: SourceRules, startAddresses: readonly string[]) {
    this.#rules = rules;
    this.#include = rules.include.map(wildcard);
    this.#exclude = rules.exclude.map(wildcard);
    this.#starts = new Set(startAddresses);
    this.#startHosts = new Set(startAddresses.map(hostOf));
  }

  /**
   * Decides a link. Hosts of start addresses are no hop away, whichever way leads there; a redirect is as far away as
   * what it leads from, also to another host if only redirects have led there from a start address.
   */
  decide(url: string, source: Source, isRedirect: boolean): Decision | Refusal {
    const host = hostOf(url);
    const isOtherHost = host !== hostOf(source.url);
    if (url.startsWith('file:') && !source.url.startsWith('file:')) return { follow: false, because: 'rule' };
    const isStart = source.isStartAddress || source.enumerationDepth === 0;
    const isHop = isOtherHost && !(isRedirect && isStart);
    const hostDepth = this.#startHosts.has(host) ? 0 : source.hostDepth + (isHop ? 1 : 0);
    const enumerationDepth = source.enumerationDepth + (isRedirect ? 0 : 1);
    if (hostDepth > this.#rules.hostHops) return { follow: false, because: 'hops' };
    if (!this.takes(url)) return { follow: false, because: 'rule' };
    if (enumerationDepth > this.#rules.depth) return { follow: false, because: 'depth' };
    return { follow: true, hostDepth, enumerationDepth };
  }

  /** Whether the patterns let a URL in; a start address always is. */
  takes(url: string): boolean {
    if (this.#starts.has(url)) return true;
    if (looksLikeTrap(url) || this.#exclude.some((matches) => matches(url))) return false;
    return this.#include.length === 0 || this.#include.some((matches) => matches(url));
  }
}
