const alert = 0x15;
const headerLength = 5;
const nothing = Buffer.alloc(0);

/**
 * Skips what some clients send when TLS ends with the login: a last TLS record (close_notify) before the first
 * plaintext packet.
 */
export class TlsFarewell {
  #held: Buffer = nothing;
  #isOver = false;

  /** The bytes after that record, which may be none yet. */
  behind(chunk: Buffer): Buffer {
    if (this.#isOver) return chunk;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    if (this.#held[0] === alert) {
      const end = headerLength + (this.#held.length < headerLength ? 0 : this.#held.readUInt16BE(3));
      if (this.#held.length < end || this.#held.length < headerLength) return nothing;
      this.#held = this.#held.subarray(end);
      if (this.#held.length === 0) return nothing;
    }
    this.#isOver = true;
    const rest = this.#held;
    this.#held = nothing;
    return rest;
  }
}
