import type { Message } from '../tds/packet/index.ts';

/** The queue of complete messages between the socket, which produces them, and the session, which consumes them. */
export class MessageQueue {
  readonly #waiting: Message[] = [];
  #taker: { resolve(message: Message | undefined): void; reject(error: Error): void } | undefined;
  #ended = false;
  #failure: Error | undefined;

  /** The number of waiting messages. */
  get length(): number {
    return this.#waiting.length;
  }

  /** The total size of the waiting messages that have at least a given size. */
  bytes(large: number): number {
    let bytes = 0;
    for (const { payload } of this.#waiting) if (payload.length >= large) bytes += payload.length;
    return bytes;
  }

  /** True if a message of this type is waiting. */
  holds(type: Message['type']): boolean {
    return this.#waiting.some((message) => message.type === type);
  }

  /** Drops the waiting messages. */
  clear(): void {
    this.#waiting.length = 0;
  }

  /** Adds a message; ignored after the end. */
  put(message: Message): void {
    if (this.#ended) return;
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker.resolve(message);
    else this.#waiting.push(message);
  }

  /** The next message, which is passed to `taken` first; undefined once the queue has ended and is empty. */
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

  /** Ends the queue; waiting messages can still be taken. */
  end(): void {
    this.#ended = true;
    this.#taker?.resolve(undefined);
    this.#taker = undefined;
  }

  /** Fails the queue: whoever takes after the waiting messages gets the error. */
  fail(error: Error): void {
    this.#failure = error;
    this.#taker?.reject(error);
    this.#taker = undefined;
  }
}
