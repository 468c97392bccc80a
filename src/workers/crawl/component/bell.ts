/** Wakes a waiting task, at once or after a timeout. */
export class Bell {
  #ring: (() => void) | undefined;
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  /** Resolves when the bell rings, if it has rung since the last wait, or after that many milliseconds. */
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
