import type { Client } from '../../../client/client.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';
import { Scope } from '../rules/scope.ts';
import { defaultRules, parseRules, type SourceRules } from '../rules/source-rules.ts';
import { hostOf, normalUrl } from '../url/normal-url.ts';
import { readSetting, settingNames } from './settings.ts';

interface StartAddress {
  readonly id: number;
  readonly url: string;
}

/** A content source as a crawl works with it. */
export interface ContentSource {
  readonly id: number;
  readonly name: string;
  readonly startAddresses: readonly StartAddress[];
  readonly rules: SourceRules;
  readonly scope: Scope;
}

/** So long what was read of the content sources is taken for true, in milliseconds. */
const freshFor = 5000;

/** The content sources, their start addresses and rules, read again every few seconds. */
export class SourceBook {
  readonly #admin: Client;
  #sources: ReadonlyMap<number, ContentSource> = new Map();
  #hosts: ReadonlySet<string> = new Set();
  #roots: readonly string[] = [];
  #until = 0;

  constructor(admin: Client) {
    this.#admin = admin;
  }

  async source(id: number): Promise<ContentSource | undefined> {
    await this.refresh();
    return this.#sources.get(id);
  }

  async all(): Promise<ContentSource[]> {
    await this.refresh(0);
    return [...this.#sources.values()];
  }

  /** Whether a start address names a host: it may then have a private address. */
  namesHost(host: string): boolean {
    return this.#hosts.has(host);
  }

  /** The trees of files that start addresses name. */
  get roots(): readonly string[] {
    return this.#roots;
  }

  async refresh(age = freshFor): Promise<void> {
    if (Date.now() < this.#until - freshFor + age) return;
    const sources = await this.#admin.select(
      { ContentSourceID: int, Name: nvarchar(256) },
      'select ContentSourceID, Name from ContentSources order by ContentSourceID',
    );
    const addresses = await this.#admin.select(
      { StartAddressID: int, ContentSourceID: int, URL: nvarchar(1500) },
      'select StartAddressID, ContentSourceID, URL from StartAddresses order by StartAddressID',
    );
    const read = new Map<number, ContentSource>();
    for (const { ContentSourceID: id, Name: name } of sources) {
      const startAddresses = addresses
        .filter(({ ContentSourceID }) => ContentSourceID === id)
        .flatMap(({ StartAddressID, URL: given }) => {
          const url = normalUrl(given);
          return url === undefined ? [] : [{ id: StartAddressID, url }];
        });
      const written = await readSetting(this.#admin, settingNames.rules(id));
      const rules = written === undefined ? defaultRules : parseRules(written);
      const scope = new Scope(
        rules,
        startAddresses.map(({ url }) => url),
      );
      read.set(id, { id, name, startAddresses, rules, scope });
    }
    this.#sources = read;
    const urls = [...read.values()].flatMap(({ startAddresses }) => startAddresses.map(({ url }) => url));
    this.#hosts = new Set(urls.filter((url) => !url.startsWith('file:')).map(hostOf));
    this.#roots = urls.filter((url) => url.startsWith('file:'));
    this.#until = Date.now() + freshFor;
  }
}
