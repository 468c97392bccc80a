import { randomBytes } from 'node:crypto';
import { ntHash } from '../../src/accounts/nt-hash.ts';
import { bindingHash } from '../../src/sspi/channel-binding.ts';
import { element, readAll, readTagged } from '../../src/sspi/der.ts';
import { avIds, hasMicFlag, readAvPairs, writeAvPairs } from '../../src/sspi/ntlm/av-pairs.ts';
import { firstSignature, hmacMd5, responseKey, wide } from '../../src/sspi/ntlm/crypto.ts';
import { micPlace, ntlmFlags } from '../../src/sspi/ntlm/messages.ts';
import { rc4 } from '../../src/sspi/ntlm/rc4.ts';
import { mechanisms } from '../../src/sspi/spnego.ts';

/** How an NTLM client of the tests behaves; each change is one that the server must notice. */
export interface NtlmClientOptions {
  readonly user: string;
  readonly domain: string;
  readonly password: string;
  readonly bindings?: Buffer;
  readonly service?: string;
  readonly response?: 'NTLMv2' | 'NTLMv1';
  readonly badMic?: true;
}

const flags =
  ntlmFlags.unicode | ntlmFlags.ntlm | ntlmFlags.extendedSecurity | ntlmFlags.key128 | ntlmFlags.keyExchange;
const signature = Buffer.from('NTLMSSP\0', 'latin1');
const head = 88;

/** The client's side of NTLMv2, with MIC, bindings and service name, raw or inside SPNEGO. */
export class NtlmClient {
  readonly #options: NtlmClientOptions;
  readonly sessionKey = randomBytes(16);
  readonly #negotiate: Buffer;

  constructor(options: NtlmClientOptions) {
    this.#options = options;
    this.#negotiate = Buffer.alloc(32);
    signature.copy(this.#negotiate);
    this.#negotiate.writeUInt32LE(1, 8);
    this.#negotiate.writeUInt32LE(flags, 12);
  }

  first(): Buffer {
    return this.#negotiate;
  }

  /** Answers CHALLENGE. */
  second(challengeMessage: Buffer): Buffer {
    const { user, domain, password, response = 'NTLMv2', badMic } = this.#options;
    const challenge = challengeMessage.subarray(24, 32);
    const infoAt = challengeMessage.readUInt32LE(44);
    const info = challengeMessage.subarray(infoAt, infoAt + challengeMessage.readUInt16LE(40));
    const key = responseKey(ntHash(password), user, domain);
    const covered = Buffer.concat([
      Buffer.of(1, 1),
      Buffer.alloc(14),
      randomBytes(8),
      Buffer.alloc(4),
      this.#pairs(info),
    ]);
    const proof = hmacMd5(key, challenge, covered);
    const nt = response === 'NTLMv1' ? randomBytes(24) : Buffer.concat([proof, covered]);
    const encrypted = rc4(hmacMd5(key, proof), this.sessionKey);
    const parts = [Buffer.alloc(24), nt, wide(domain), wide(user), Buffer.alloc(0), encrypted];
    const message = Buffer.concat([Buffer.alloc(head), ...parts]);
    signature.copy(message);
    message.writeUInt32LE(3, 8);
    let at = head;
    for (const [index, part] of parts.entries()) {
      message.writeUInt16LE(part.length, 12 + 8 * index);
      message.writeUInt16LE(part.length, 14 + 8 * index);
      message.writeUInt32LE(at, 16 + 8 * index);
      at += part.length;
    }
    message.writeUInt32LE(user === '' ? flags | ntlmFlags.anonymous : flags, 60);
    hmacMd5(this.sessionKey, this.#negotiate, challengeMessage, message).copy(message, micPlace.start);
    if (badMic) message.writeUInt8((message[micPlace.start] ?? 0) ^ 1, micPlace.start);
    return message;
  }

  #pairs(info: Buffer): Buffer {
    const { bindings, service } = this.#options;
    const micFlag = Buffer.alloc(4);
    micFlag.writeUInt32LE(hasMicFlag);
    const pairs = new Map<number, Uint8Array>(readAvPairs(info)).set(avIds.flags, micFlag);
    if (bindings !== undefined) pairs.set(avIds.channelBindings, bindingHash(bindings));
    if (service !== undefined) pairs.set(avIds.targetName, wide(service));
    return writeAvPairs(pairs);
  }
}

/** The same inside SPNEGO; `favourite` is another mechanism that is offered first. */
export class SpnegoNtlmClient {
  readonly #inner: NtlmClient;
  readonly #list: Buffer;
  readonly #isFirst: boolean;
  #isBegun = false;

  constructor(options: NtlmClientOptions, favourite?: Buffer) {
    this.#inner = new NtlmClient(options);
    this.#isFirst = favourite === undefined;
    this.#list = element(0x30, ...(favourite === undefined ? [] : [favourite]), mechanisms.ntlm);
  }

  first(): Buffer {
    const token = this.#isFirst ? [element(0xa2, element(0x04, this.#inner.first()))] : [];
    const init = element(0xa0, element(0x30, element(0xa0, this.#list), ...token));
    return element(0x60, mechanisms.spnego, init);
  }

  /** Answers whatever the server sent. */
  second(reply: Buffer): Buffer {
    const fields = readAll(readTagged(0x30, readTagged(0xa1, reply).body).body);
    const octets = fields.find(({ tag }) => tag === 0xa2);
    if (octets === undefined && !this.#isBegun) {
      this.#isBegun = true;
      return wrapped(this.#inner.first());
    }
    const answer = this.#inner.second(readTagged(0x04, octets?.body ?? Buffer.alloc(0)).body);
    return wrapped(answer, firstSignature('client', this.#inner.sessionKey, 16, true, this.#list));
  }
}

function wrapped(token: Buffer, mic?: Buffer): Buffer {
  const parts = [
    element(0xa2, element(0x04, token)),
    ...(mic === undefined ? [] : [element(0xa3, element(0x04, mic))]),
  ];
  return element(0xa1, element(0x30, ...parts));
}
