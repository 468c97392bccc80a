/** Makes callers wait while it is down. */
export class Barrier {
  #down: PromiseWithResolvers<void> | undefined;

  /** While it is down: resolves when it is up again. */
  get isDown(): Promise<void> | undefined {
    return this.#down?.promise;
  }

  lower(): void {
    this.#down ??= Promise.withResolvers();
  }

  raise(): void {
    this.#down?.resolve();
    this.#down = undefined;
  }
}
