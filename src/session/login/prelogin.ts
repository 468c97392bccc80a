import { ByteWriter } from '../../tds/byte-writer.ts';
import { decodePrelogin, encryption, writePrelogin } from '../../tds/message/prelogin.ts';
import { packetize, packetTypes } from '../../tds/packet/index.ts';
import type { Channel } from '../channel.ts';
import type { EncryptionPolicy, ServerContext } from '../context.ts';
import { versionParts } from './reported-version.ts';

const preloginPacketSize = 4096;

/** Answers PRELOGIN (MS-TDS 2.2.6.5) and starts TLS when both sides can; true when both want MARS. */
export function answerPrelogin(channel: Channel, context: ServerContext, payload: Buffer): boolean {
  const { encryption: asked = encryption.notSupported, instance, mars, traceId } = decodePrelogin(payload);
  const hasMars = mars === true && channel.multiplex !== undefined;
  const isOld = mars === undefined && traceId === undefined;
  const answer = encryptionAnswer(asked, { ...place(channel), isOld }, context.encryption);
  const out = new ByteWriter(256);
  writePrelogin(out, {
    version: versionParts(context.view.version),
    encryption: answer,
    // Unasked, the Elixir driver takes it for the answer to ENCRYPTION.
    ...(instance === undefined ? {} : { instance: '' }),
    threadId: null,
    mars: hasMars,
  });
  channel.write(packetize(out.take(), { type: packetTypes.reply, packetSize: preloginPacketSize }));
  // A client that cannot encrypt although it must gets error 17835 when it logs in.
  const bothCan = asked !== encryption.notSupported && answer !== encryption.notSupported;
  if (bothCan && !channel.encrypted) channel.startTls(answer === encryption.off);
  return hasMars;
}

/** The properties of a client that decide about encryption. */
interface Asking extends Pick<Channel, 'loopback' | 'strict'> {
  /** True for clients before TDS 7.2, whose PRELOGIN has neither MARS nor a trace identifier. */
  readonly isOld: boolean;
}

const place = ({ loopback, strict }: Channel) => ({ loopback, strict });

/**
 * The response of SQL Server: a client that cannot encrypt is admitted (or told that it must), and one that does not
 * want to encrypts only its login. Old clients get TLS for the whole connection: jTDS hangs when TLS ends after the
 * login.
 */
export function encryptionAnswer(asked: number, place: Asking, policy: EncryptionPolicy): number {
  if (place.strict || policy === 'off') return encryption.notSupported;
  if (asked === encryption.notSupported) {
    return mayBePlain(place, policy) ? encryption.notSupported : encryption.required;
  }
  if (asked !== encryption.off) return encryption.on;
  return place.isOld || policy === 'required' ? encryption.required : encryption.off;
}

/** Whether a login without TLS is allowed. */
export function mayBePlain({ loopback }: Pick<Asking, 'loopback'>, policy: EncryptionPolicy): boolean {
  if (policy === 'off' || policy === 'optional') return true;
  return policy === 'auto' && loopback;
}
