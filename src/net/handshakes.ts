/** While more handshakes are waiting, other work gets this multiple of the time that each step takes. */
const leftToOthers = 1;

/**
 * Runs TLS handshakes one step at a time: a step takes a millisecond or two of processor time, and a flood of them
 * would leave none for clients that are logged in. Steps alternate between addresses.
 */
export class Handshakes {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  /** Runs a step when it is its turn: immediately if none is waiting. */
  step(address: string, work: () => void): void {
    const line = this.#waiting.get(address) ?? [];
    this.#waiting.set(address, line);
    line.push(work);
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isBusy = false;
      return;
    }
    this.#isBusy = true;
    const [address, line] = next;
    this.#waiting.delete(address);
    const work = line.shift();
    if (line.length > 0) this.#waiting.set(address, line);
    const began = performance.now();
    work?.();
    const rest = (performance.now() - began) * leftToOthers;
    if (rest < 1) setImmediate(() => this.#next());
    else setTimeout(() => this.#next(), rest);
  }
}
