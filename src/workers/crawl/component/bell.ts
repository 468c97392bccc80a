/** Wakes who waits, at once or when the time is over. */
export class Bell {
  #ring: (() => void) | undefined;
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  /** Resolves when the bell rings, or has rung since the last time, or after so many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#ring = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
      clearTimeout(timer);
      this.#ring = undefined;
    }
    this.#isRung = false;
  }
}
