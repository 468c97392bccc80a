import type { SqlError } from '../base/messages/sql-error.ts';
import { sqlError } from '../base/messages/sql-error.ts';

/** The share of the memory that clients that have not logged in may use together: their messages are small. */
const strangersShare = 1 / 16;

/** Bytes that a group of clients may hold, in total and per address. */
class Pool {
  readonly #limit: number;
  readonly #limitPerAddress: number;
  readonly #byAddress = new Map<string, { bytes: number; readonly accounts: Set<MessageAccount> }>();
  #bytes = 0;

  constructor(limit: number, limitPerAddress: number) {
    this.#limit = limit;
    this.#limitPerAddress = limitPerAddress;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Applies a change; if that exceeds a limit, the largest holder is refused, which may be another client. */
  change(account: MessageAccount, bytes: number): void {
    this.#bytes += bytes;
    let place = this.#byAddress.get(account.address);
    if (place === undefined) {
      place = { bytes: 0, accounts: new Set() };
      this.#byAddress.set(account.address, place);
    }
    place.bytes += bytes;
    place.accounts.add(account);
    if (account.bytes === 0) {
      place.accounts.delete(account);
      if (place.accounts.size === 0) this.#byAddress.delete(account.address);
    }
    if (bytes <= 0) return;
    if (place.bytes > this.#limitPerAddress) largest(place.accounts)?.refuse();
    while (this.#bytes > this.#limit) {
      const fullest = largest([...this.#byAddress.values()]);
      const held = fullest && largest(fullest.accounts);
      if (held === undefined) return;
      held.refuse();
    }
  }
}

/** The largest one; among equals the one that came last, since it has waited least. */
function largest<T extends { readonly bytes: number }>(all: Iterable<T>): T | undefined {
  let most: T | undefined;
  for (const each of all) if (most === undefined || each.bytes >= most.bytes) most = each;
  return most;
}

/** Memory for messages that are arriving or being answered: a few clients must not take all of the server's. */
export class MessageMemory {
  readonly #clients: Pool;
  readonly #strangers: Pool;

  constructor(limit: number, limitPerAddress: number) {
    this.#clients = new Pool(limit, limitPerAddress);
    this.#strangers = new Pool(limit * strangersShare, limitPerAddress * strangersShare);
  }

  /** Its use by clients that have logged in, and by those that have not. */
  get budgets(): readonly { readonly name: string; readonly used: number; readonly limit: number }[] {
    return [
      { name: 'messages', used: this.#clients.bytes, limit: this.#clients.limit },
      { name: 'messages_before_login', used: this.#strangers.bytes, limit: this.#strangers.limit },
    ];
  }

  /** Creates the account of a client that has not logged in yet; `refused` is called if the client holds too much. */
  account(address: string, refused: (error: SqlError) => void): MessageAccount {
    return new MessageAccount(address, this.#strangers, this.#clients, refused);
  }
}

/** The memory that one client holds. */
export class MessageAccount {
  readonly address: string;
  readonly #refused: (error: SqlError) => void;
  readonly #clients: Pool;
  #pool: Pool;
  #bytes = 0;

  constructor(address: string, strangers: Pool, clients: Pool, refused: (error: SqlError) => void) {
    this.address = address;
    this.#pool = strangers;
    this.#clients = clients;
    this.#refused = refused;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the number of bytes that the client holds. */
  set(bytes: number): void {
    const change = bytes - this.#bytes;
    if (change === 0) return;
    this.#bytes = bytes;
    this.#pool.change(this, change);
  }

  /** Must be called when the client has logged in. */
  admit(): void {
    const held = this.#bytes;
    this.set(0);
    this.#pool = this.#clients;
    this.set(held);
  }

  /** Releases everything that the client holds and notifies it. */
  refuse(): void {
    this.set(0);
    this.#refused(sqlError(17803));
  }
}
