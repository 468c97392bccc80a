/** Of the time that handshakes take they leave others so many times as much, while more of them wait. */
const leftToOthers = 1;

/**
 * Lets handshakes of TLS go on one step at a time: a step costs a processor a millisecond or two, and a flood of them would
 * leave nothing for those who are inside. Steps go round among addresses.
 */
export class Handshakes {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  /** Runs a step when its turn has come: at once when nobody waits. */
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
