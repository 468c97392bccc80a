/** The number of pieces that are joined at once, and written between two points where others may get their turn. */
const together = 1000;

/** A long text built from many pieces. */
export class TextPieces {
  #done = '';
  #pieces: string[] = [];

  push(piece: string): void {
    this.#pieces.push(piece);
  }

  /** Joins the collected pieces; true if there were so many that others may need their turn. */
  settle(): boolean {
    if (this.#pieces.length < together) return false;
    this.#join();
    return true;
  }

  end(): string {
    this.#join();
    return this.#done;
  }

  #join(): void {
    this.#done += this.#pieces.join('');
    this.#pieces = [];
  }
}
