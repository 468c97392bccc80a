import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Remembers which passwords were right a moment ago, so that a pool of connections pays for scrypt once.
 * It keeps only HMACs under a key that never leaves the process, each tied to the hash stored then: a changed
 * password is forgotten by itself, also when another process changed it.
 */
export class RecentPasswords {
  readonly #key = randomBytes(32);
  readonly #known = new Map<string, { readonly hash: string; readonly mac: Buffer }>();
  readonly #capacity: number;

  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  /** Whether the password is the one that was hashed; undefined when that is not known without hashing it. */
  isRight(login: string, storedHash: string, password: string): boolean | undefined {
    const known = this.#known.get(login);
    if (known === undefined || known.hash !== storedHash) return undefined;
    if (!timingSafeEqual(known.mac, this.#mac(storedHash, password))) return false;
    // Those that are used stay.
    this.#known.delete(login);
    this.#known.set(login, known);
    return true;
  }

  remember(login: string, storedHash: string, password: string): void {
    this.#known.delete(login);
    this.#known.set(login, { hash: storedHash, mac: this.#mac(storedHash, password) });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#capacity) break;
      this.#known.delete(oldest);
    }
  }

  #mac(storedHash: string, password: string): Buffer {
    return createHmac('sha256', this.#key).update(storedHash).update('\0').update(password.normalize('NFKC')).digest();
  }
}
