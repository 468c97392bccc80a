import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Remembers passwords that were correct a moment ago, so that a connection pool pays for scrypt once. It stores only
 * HMACs under a key that never leaves the process, each tied to the stored hash of that time: a change of the password
 * invalidates them, even if another process made it.
 */
export class RecentPasswords {
  readonly #key = randomBytes(32);
  readonly #known = new Map<string, { readonly hash: string; readonly mac: Buffer }>();
  readonly #capacity: number;

  constructor(capacity = 256) {
    this.#capacity = capacity;
  }

  /** Whether the password matches the stored hash; undefined if that cannot be told without hashing it. */
  isRight(login: string, storedHash: string, password: string): boolean | undefined {
    const known = this.#known.get(login);
    if (known === undefined || known.hash !== storedHash) return undefined;
    if (!timingSafeEqual(known.mac, this.#mac(storedHash, password))) return false;
    // Recently used entries are kept.
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
