/** The Windows domain of a Kerberos realm, for tickets that do not name it. */
export class RealmDomains {
  readonly #domains: ReadonlyMap<string, string>;

  constructor(domains: ReadonlyMap<string, string>) {
    this.#domains = new Map([...domains].map(([realm, domain]) => [realm.toUpperCase(), domain]));
  }

  /** The domain configured for a realm. */
  domainOf(realm: string): string | undefined {
    return this.#domains.get(realm.toUpperCase());
  }

  /**
   * DOMAIN\user; for a realm without a domain, the realm itself is used, so that two realms never share their users.
   */
  nameOf(user: string, realm: string): string {
    return `${this.domainOf(realm) ?? realm}\\${user}`;
  }
}
