import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { bindingHash, type ChannelBindings } from '../channel-binding.ts';
import { type Negotiation, refuse, type Step } from '../negotiation.ts';
import { avIds, hasMicFlag, readAvPairs, writeAvPairs } from './av-pairs.ts';
import { firstSignature, hmacMd5, isSame, responseKey, type Side, wide } from './crypto.ts';
import {
  type Authenticate,
  messageType,
  micPlace,
  negotiateFlags,
  ntlmFlags,
  readAuthenticate,
  writeChallenge,
} from './messages.ts';
import { rc4 } from './rc4.ts';

/** The options of an NTLM acceptor. */
export interface NtlmOptions {
  readonly clock: Clock;
  /** The names of the domain and the computer that the server reports. */
  readonly domain: string;
  readonly computer: string;
  /** The bindings that a client may send; none if the connection has no TLS, or bindings are not checked. */
  readonly bindings: ChannelBindings;
  /** The name of the login for the two names that a client sends. */
  nameOf(domain: string, user: string): string;
  /** Runs a check with the hash of an account; undefined if it fails or there is no such account. */
  prove(name: string, check: (hash: Uint8Array) => boolean): Promise<{ readonly login: string } | undefined>;
}

const nothing: Buffer = Buffer.alloc(0);
/** Flags that are granted if the client requests them. */
const granted =
  ntlmFlags.sign | ntlmFlags.seal | ntlmFlags.alwaysSign | ntlmFlags.key128 | ntlmFlags.key56 | ntlmFlags.keyExchange;
const always =
  ntlmFlags.ntlm |
  ntlmFlags.requestTarget |
  ntlmFlags.targetInfo |
  ntlmFlags.targetIsDomain |
  ntlmFlags.version |
  ntlmFlags.extendedSecurity;
/** An NTLMv2 response: the proof and at least the fixed part of the data that it covers. */
const shortestV2 = 16 + 28;
/** LM, NTLM and NTLM2 session responses have this length, and so does LMv2's. */
const oldResponse = 24;

/** The server's side of NTLMv2 (MS-NLMP 3.2.5): LM, NTLMv1 and anonymous clients are refused. */
export class NtlmAcceptor implements Negotiation {
  readonly #options: NtlmOptions;
  readonly #challenge = randomBytes(8);
  #negotiate: Buffer | undefined;
  #challengeMessage: Buffer = nothing;
  #sessionKey: Buffer = nothing;
  #flags = 0;

  constructor(options: NtlmOptions) {
    this.#options = options;
  }

  async step(token: Buffer): Promise<Step> {
    const type = messageType(token);
    if (type === 1 && this.#negotiate === undefined) return { reply: this.#answer(token) };
    if (type === 3 && this.#negotiate !== undefined) return this.#authenticate(token, this.#negotiate);
    return refuse(`NTLM message ${type} is out of order`);
  }

  close(): void {}

  /**
   * Signs what SPNEGO has negotiated, with the server's key or, to verify the client's signature, with the client's.
   */
  signature(side: Side, data: Buffer): Buffer {
    const isStrong = (this.#flags & ntlmFlags.key128) !== 0;
    const keyLength = isStrong ? 16 : this.#flags & ntlmFlags.key56 ? 7 : 5;
    const isExchanged = (this.#flags & ntlmFlags.keyExchange) !== 0;
    return firstSignature(side, this.#sessionKey, keyLength, isExchanged, data);
  }

  #answer(token: Buffer): Buffer {
    const asked = negotiateFlags(token);
    if (!(asked & (ntlmFlags.unicode | ntlmFlags.oem))) return refuse('the client speaks neither Unicode nor OEM');
    const { domain, computer, clock } = this.#options;
    const time = Buffer.alloc(8);
    time.writeBigUInt64LE(BigInt(clock.now().getTime() + 11_644_473_600_000) * 10_000n);
    const info = writeAvPairs([
      [avIds.domain, wide(domain)],
      [avIds.computer, wide(computer)],
      [avIds.dnsDomain, wide(domain.toLowerCase())],
      [avIds.dnsComputer, wide(computer.toLowerCase())],
      [avIds.timestamp, time],
    ]);
    const charset = asked & ntlmFlags.unicode ? ntlmFlags.unicode : ntlmFlags.oem;
    // A copy, since it must outlive the message.
    this.#negotiate = Buffer.from(token);
    this.#challengeMessage = writeChallenge(always | charset | (asked & granted), this.#challenge, domain, info);
    return this.#challengeMessage;
  }

  async #authenticate(token: Buffer, negotiate: Buffer): Promise<Step> {
    const message = readAuthenticate(token);
    const { domain, user, flags } = message;
    if (user === '' || flags & ntlmFlags.anonymous) return refuse('an anonymous client');
    const { proof, covered, isV2 } = responseOf(message);
    let key: Buffer | undefined;
    const account = await this.#options.prove(this.#options.nameOf(domain, user), (hash) => {
      // As on Windows: with the domain as it was sent, in capitals, or without it.
      const keys = [domain, domain.toUpperCase(), ''].map((spelled) => responseKey(hash, user, spelled));
      key = keys.find((each) => isSame(hmacMd5(each, this.#challenge, covered), proof));
      return key !== undefined;
    });
    if (account === undefined || key === undefined)
      return refuse(`no account, or a wrong password: ${domain}\\${user}`);
    this.#flags = flags;
    this.#sessionKey = sessionKeyOf(message, hmacMd5(key, proof));
    const pairs = isV2 ? readAvPairs(covered.subarray(28)) : new Map<number, Buffer>();
    if (flagsOf(pairs) & hasMicFlag) this.#checkMic(token, negotiate);
    const isBound = this.#checkBindings(pairs.get(avIds.channelBindings));
    const service = pairs.get(avIds.targetName)?.toString('utf16le');
    return { reply: nothing, proven: { scheme: 'NTLM', name: account.login, groups: [], isBound, service } };
  }

  /** Verifies that the negotiation was not modified in transit (MS-NLMP 3.2.5.1.2). */
  #checkMic(token: Buffer, negotiate: Buffer): void {
    const zeroed = Buffer.from(token);
    zeroed.fill(0, micPlace.start, micPlace.end);
    const mic = hmacMd5(this.#sessionKey, negotiate, this.#challengeMessage, zeroed);
    if (!isSame(mic, token.subarray(micPlace.start, micPlace.end))) refuse('the MIC does not match');
  }

  /** True if the client's bindings match this channel; a client without bindings sends zeros or nothing. */
  #checkBindings(hash: Buffer | undefined): boolean {
    const { bindings } = this.#options;
    if (bindings.length === 0 || hash === undefined || hash.every((byte) => byte === 0)) return false;
    return bindings.some((data) => isSame(bindingHash(data), hash)) || refuse('the channel bindings do not match');
  }
}

/**
 * The proof and the data that it covers. tedious declares its NTLMv2 response to be 16 bytes long; Windows then uses
 * its LMv2 response, which proves as much but contains neither bindings nor a service.
 */
function responseOf({ ntResponse: nt, lmResponse: lm }: Authenticate) {
  if (nt.length >= shortestV2) return { proof: nt.subarray(0, 16), covered: nt.subarray(16), isV2: true };
  const isOld = nt.length === oldResponse || lm.length !== oldResponse;
  if (isOld) return refuse('a response of NTLMv1 or LM');
  return { proof: lm.subarray(0, 16), covered: lm.subarray(16), isV2: false };
}

function sessionKeyOf({ flags, encryptedSessionKey }: Authenticate, baseKey: Buffer): Buffer {
  const isExchanged = flags & ntlmFlags.keyExchange && encryptedSessionKey.length === 16;
  return isExchanged ? rc4(baseKey, encryptedSessionKey) : baseKey;
}

function flagsOf(pairs: ReadonlyMap<number, Buffer>): number {
  const value = pairs.get(avIds.flags);
  return value?.length === 4 ? value.readUInt32LE() : 0;
}
