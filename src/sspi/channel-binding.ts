import { createHash } from 'node:crypto';

/** The data of a TLS channel's bindings (RFC 5929), in the forms that clients send, each of which includes its type. */
export type ChannelBindings = readonly Buffer[];

/** The start of gss_channel_bindings_struct, before its data: no addresses, and the length of the data. */
function head(data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt32LE(data.length, 16);
  return bytes;
}

/** What a client sends instead of the data: MD5 of the struct that contains it (MS-NLMP 2.2.2.1, RFC 4121 4.1.1.2). */
export function bindingHash(data: Uint8Array): Buffer {
  return createHash('md5').update(head(data)).update(data).digest();
}
