import { type Negotiation, refuse, type Step } from '../negotiation.ts';
import { mechanisms, negotiationStates, readInit, readResponse, writeResponse } from '../spnego.ts';
import { isSame } from './crypto.ts';
import { NtlmAcceptor, type NtlmOptions } from './ntlm-acceptor.ts';

/** NTLM inside SPNEGO (RFC 4178). */
export class SpnegoNtlm implements Negotiation {
  readonly #inner: NtlmAcceptor;
  /** The mechanisms that the client offered, once known. */
  #list: Buffer | undefined;
  /** True if NTLM was not the client's preferred mechanism: then it must prove that nobody has modified its list. */
  #needsMic = false;
  #isBegun = false;

  constructor(options: NtlmOptions) {
    this.#inner = new NtlmAcceptor(options);
  }

  async step(token: Buffer): Promise<Step> {
    return this.#list === undefined ? this.#begin(token) : this.#goOn(token, this.#list);
  }

  close(): void {}

  async #begin(message: Buffer): Promise<Step> {
    const { offered, list, token } = readInit(message);
    if (!offered.some((mechanism) => mechanism.equals(mechanisms.ntlm))) return refuse('SPNEGO does not offer NTLM');
    this.#list = Buffer.from(list);
    const isFavourite = offered[0]?.equals(mechanisms.ntlm) === true;
    this.#needsMic = !isFavourite;
    // The first token belongs to the preferred mechanism; another one begins when it has been chosen.
    if (isFavourite && token !== undefined) return this.#challenge(token);
    const state = isFavourite ? negotiationStates.incomplete : negotiationStates.requestMic;
    return { reply: writeResponse(state, { mechanism: mechanisms.ntlm }) };
  }

  async #goOn(message: Buffer, list: Buffer): Promise<Step> {
    const { token, mic } = readResponse(message);
    if (token === undefined) return refuse('SPNEGO contains no NTLM token');
    if (!this.#isBegun) return this.#challenge(token);
    const { proven } = await this.#inner.step(token);
    if (proven === undefined) return refuse('NTLM inside SPNEGO is not completed');
    if (mic === undefined && this.#needsMic) return refuse('SPNEGO lacks its mechListMIC');
    if (mic !== undefined && !isSame(mic, this.#inner.signature('client', list))) {
      return refuse('the mechListMIC of SPNEGO does not match');
    }
    const own = mic === undefined ? {} : { mic: this.#inner.signature('server', list) };
    return { reply: writeResponse(negotiationStates.completed, own), proven };
  }

  async #challenge(token: Buffer): Promise<Step> {
    this.#isBegun = true;
    const { reply } = await this.#inner.step(token);
    return { reply: writeResponse(negotiationStates.incomplete, { mechanism: mechanisms.ntlm, token: reply }) };
  }
}
