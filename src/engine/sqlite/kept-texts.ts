/** Prepared statements kept a connection; a procedure has a handful, so all call sites of a kind fit. */
const mostStatements = 1000;
/** Characters of their texts together, and of one: longer ones are clients' own, and SQLite takes ten times as much for each. */
const mostText = 1024 * 1024;
const longestText = 16 * 1024;

/** What is kept by the text of a statement, in the order of last preparation; the oldest go first. */
export class KeptTexts<T> {
  readonly #kept = new Map<string, T>();
  #text = 0;

  get count(): number {
    return this.#kept.size;
  }

  get(text: string): T | undefined {
    return this.#kept.get(text);
  }

  set(text: string, value: T): void {
    if (text.length > longestText) return;
    if (!this.#kept.has(text)) this.#text += text.length;
    this.#kept.set(text, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostStatements && this.#text <= mostText) return;
      this.#kept.delete(oldest);
      this.#text -= oldest.length;
    }
  }
}
