/**
 * The maximum number of prepared statements per connection; a procedure has a handful, so all call sites of a kind of
 * database fit.
 */
const mostStatements = 1000;
/**
 * The maximum length in characters of all their texts together, and of one: longer ones come from clients, and SQLite
 * takes ten times as much memory for each.
 */
const mostText = 1024 * 1024;
const longestText = 16 * 1024;

/** A cache keyed by the text of a statement. The least recently prepared entries are evicted first. */
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
