import type { WireCall } from '../api/wire.ts';

/** A call that is kept for those who look; written in JSON once, however many they are. */
export class KeptCall {
  readonly number: number;
  readonly #plain: WireCall;
  /** With hidden values; created only on request. */
  readonly #clear: WireCall | undefined;
  #plainText: string | undefined;
  #clearText: string | undefined;

  constructor(number: number, plain: WireCall, clear: WireCall | undefined) {
    this.number = number;
    this.#plain = plain;
    this.#clear = clear;
  }

  call(reveals: boolean): WireCall {
    return reveals ? (this.#clear ?? this.#plain) : this.#plain;
  }

  text(reveals: boolean): string {
    if (!reveals || this.#clear === undefined) {
      this.#plainText ??= JSON.stringify(this.#plain);
      return this.#plainText;
    }
    this.#clearText ??= JSON.stringify(this.#clear);
    return this.#clearText;
  }
}
