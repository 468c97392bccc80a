/** Makes callers wait while it is down. */
export class Barrier {
  #down: PromiseWithResolvers<void> | undefined;

  /** Pending while it is down; resolves when it is raised. Undefined while it is up. */
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
