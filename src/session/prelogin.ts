import { ByteWriter } from '../tds/byte-writer.ts';
import { decodePrelogin, encryption, writePrelogin } from '../tds/message/prelogin.ts';
import { packetize, packetTypes } from '../tds/packet/index.ts';
import type { Channel } from './channel.ts';
import type { EncryptionPolicy, ServerContext } from './context.ts';
import { versionParts } from './reported-version.ts';

const preloginPacketSize = 4096;

/** Answers PRELOGIN (MS-TDS 2.2.6.5) and starts TLS when both sides can. */
export function answerPrelogin(channel: Channel, context: ServerContext, payload: Buffer): void {
  const asked = decodePrelogin(payload).encryption ?? encryption.notSupported;
  const answer = encryptionAnswer(asked, channel, context.encryption);
  const out = new ByteWriter(256);
  writePrelogin(out, {
    version: versionParts(context.view.version),
    encryption: answer,
    instance: '',
    threadId: null,
    mars: false,
  });
  channel.write(packetize(out.take(), { type: packetTypes.reply, packetSize: preloginPacketSize }));
  // A client that cannot encrypt, though it must, is told so again when it logs in (17835).
  const bothCan = asked !== encryption.notSupported && answer !== encryption.notSupported;
  if (bothCan && !channel.encrypted) channel.startTls();
}

/** What of a channel decides about encryption. */
type Place = Pick<Channel, 'loopback' | 'strict'>;

/**
 * What satisfies every driver: one that cannot encrypt is let through (or told that it must), one that would encrypt the
 * login only gets TLS for everything, because old Java clients hang when TLS ends after the login.
 */
export function encryptionAnswer(asked: number, place: Place, policy: EncryptionPolicy): number {
  if (place.strict || policy === 'off') return encryption.notSupported;
  if (asked === encryption.notSupported) {
    return mayBePlain(place, policy) ? encryption.notSupported : encryption.required;
  }
  return asked === encryption.off ? encryption.required : encryption.on;
}

/** Whether a login may come over a connection without TLS. */
export function mayBePlain({ loopback }: Pick<Place, 'loopback'>, policy: EncryptionPolicy): boolean {
  if (policy === 'off' || policy === 'optional') return true;
  return policy === 'auto' && loopback;
}
