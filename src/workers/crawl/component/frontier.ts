import type { Item } from './item.ts';

/** A turn within this many milliseconds is waited for while holding the slot, and requested this far ahead. */
const lead = 20;

/** What waits for a host, and what is under way to it. */
interface Line {
  readonly items: { readonly item: Item; readonly since: number }[];
  begun: number;
  /** True while an item has begun whose turn is not known yet: until then the time of the next one is unknown. */
  isAsking: boolean;
  /** When the next item may ask for its turn. */
  notBefore: number;
}

/** The slot of an item that has begun. */
export interface Slot {
  readonly item: Item;
  /** Hears when the item's turn at its host is; until then others may have the slot, unless that is soon. */
  waits(milliseconds: number, interval: number): void;
  /**
   * The turn has come. It is taken, whether a slot is free or not: turns are an interval apart only when they are used
   * in time.
   */
  goes(): void;
  ends(): void;
}

/**
 * The items that a component has taken and not yet visited, in a line for each host. Hosts take turns, one that has to
 * be left alone is passed over, and one gets another slot only while it has fewer than are free: however slow some
 * hosts are, others find a slot.
 */
export class Frontier {
  readonly #slots: number;
  readonly #now: () => number;
  readonly #lines = new Map<number, Line>();
  #held = 0;
  #begun = 0;
  /** Slots in use. */
  #used = 0;

  constructor(slots: number, now: () => number = () => performance.now()) {
    this.#slots = slots;
    this.#now = now;
  }

  /** Items that wait in a line. */
  get held(): number {
    return this.#held;
  }

  /** Items that have begun and not ended. */
  get begun(): number {
    return this.#begun;
  }

  add(items: readonly Item[]): void {
    const since = this.#now();
    for (const item of items) this.#line(item.HostID ?? 0).items.push({ item, since });
    this.#held += items.length;
  }

  /** Begins the next item that may start; undefined if none may. */
  next(): Slot | undefined {
    const now = this.#now();
    const free = this.#slots - this.#used;
    for (const [host, line] of this.#lines) {
      if (line.isAsking || line.notBefore > now || line.begun >= free) continue;
      const first = line.items.shift();
      if (first === undefined) {
        // Nothing is kept about a host that has no more items or waits.
        if (line.begun === 0) this.#lines.delete(host);
        continue;
      }
      this.#held--;
      // To the end of the round.
      this.#lines.delete(host);
      this.#lines.set(host, line);
      return this.#begin(first.item, line);
    }
    return undefined;
  }

  /** Sends no requests to a host for this many milliseconds. */
  rest(host: number, milliseconds: number): void {
    const line = this.#line(host);
    line.notBefore = Math.max(line.notBefore, this.#now() + milliseconds - lead);
  }

  /** Milliseconds until another item may start; undefined if none waits for its time. Others wait for a slot. */
  get wait(): number | undefined {
    const now = this.#now();
    let first = Number.POSITIVE_INFINITY;
    for (const { items, isAsking, notBefore } of this.#lines.values())
      if (items.length > 0 && !isAsking && notBefore > now) first = Math.min(first, notBefore);
    return Number.isFinite(first) ? first - now : undefined;
  }

  /**
   * Whether slots are free that no item here may use, and an item has waited for this many milliseconds: its host is
   * slow.
   */
  isStuck(milliseconds: number): boolean {
    if (this.#used >= this.#slots) return false;
    const since = this.#now() - milliseconds;
    return this.#lines.values().some(({ items: [first] }) => first !== undefined && first.since <= since);
  }

  #line(host: number): Line {
    const known = this.#lines.get(host);
    if (known !== undefined) return known;
    const line: Line = { items: [], begun: 0, isAsking: false, notBefore: 0 };
    this.#lines.set(host, line);
    return line;
  }

  #begin(item: Item, line: Line): Slot {
    let [holds, knowsTurn] = [true, false];
    this.#begun++;
    this.#used++;
    line.begun++;
    line.isAsking = true;
    const known = () => {
      if (!knowsTurn) line.isAsking = false;
      knowsTurn = true;
    };
    return {
      item,
      waits: (milliseconds, interval) => {
        known();
        line.notBefore = Math.max(line.notBefore, this.#now() + milliseconds + interval - lead);
        if (milliseconds <= lead || !holds) return;
        holds = false;
        this.#used--;
      },
      goes: () => {
        if (!holds) this.#used++;
        holds = true;
      },
      ends: () => {
        known();
        if (holds) this.#used--;
        this.#begun--;
        line.begun--;
      },
    };
  }
}
