/** So many pieces are joined at once, and written between two places where others may have their turn. */
const together = 1000;

/** A long text that is put together of many pieces. */
export class TextPieces {
  #done = '';
  #pieces: string[] = [];

  push(piece: string): void {
    this.#pieces.push(piece);
  }

  /** Joins what has piled up; true where that was so much that others may want their turn. */
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
