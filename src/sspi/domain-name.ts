/** Which Windows domain a Kerberos realm is, where a ticket does not tell it. */
export class RealmDomains {
  readonly #domains: ReadonlyMap<string, string>;

  constructor(domains: ReadonlyMap<string, string>) {
    this.#domains = new Map([...domains].map(([realm, domain]) => [realm.toUpperCase(), domain]));
  }

  /** The domain that was configured for a realm. */
  domainOf(realm: string): string | undefined {
    return this.#domains.get(realm.toUpperCase());
  }

  /** DOMAIN\user; a realm without a domain stands for itself, so that two realms never share their users. */
  nameOf(user: string, realm: string): string {
    return `${this.domainOf(realm) ?? realm}\\${user}`;
  }
}
