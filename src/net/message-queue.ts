import type { Message } from '../tds/packet/index.ts';

/** Whole messages between the socket that makes them and the one session that takes them. */
export class MessageQueue {
  readonly #waiting: Message[] = [];
  #taker: { resolve(message: Message | undefined): void; reject(error: Error): void } | undefined;
  #ended = false;
  #failure: Error | undefined;

  /** How many messages nobody has taken yet. */
  get length(): number {
    return this.#waiting.length;
  }

  /** How many bytes those messages have that are at least so large. */
  bytes(large: number): number {
    let bytes = 0;
    for (const { payload } of this.#waiting) if (payload.length >= large) bytes += payload.length;
    return bytes;
  }

  /** True when a message of this type waits. */
  holds(type: Message['type']): boolean {
    return this.#waiting.some((message) => message.type === type);
  }

  /** Drops what nobody has taken yet. */
  clear(): void {
    this.#waiting.length = 0;
  }

  /** Hands a message over; one that comes after the end is dropped. */
  put(message: Message): void {
    if (this.#ended) return;
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker.resolve(message);
    else this.#waiting.push(message);
  }

  /** The next message, which `taken` gets to know first; undefined once the queue has ended and is empty. */
  take(taken: (message: Message) => void = () => {}): Promise<Message | undefined> {
    const message = this.#waiting.shift();
    if (message) {
      taken(message);
      return Promise.resolve(message);
    }
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const hand = (next: Message | undefined) => {
        if (next) taken(next);
        resolve(next);
      };
      this.#taker = { resolve: hand, reject };
    });
  }

  /** No more messages come; those that wait can still be taken. */
  end(): void {
    this.#ended = true;
    this.#taker?.resolve(undefined);
    this.#taker = undefined;
  }

  /** What came is no message; whoever takes after the waiting ones gets the error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#taker?.reject(error);
    this.#taker = undefined;
  }
}
