import { dlopen, getRawPointer, toBuffer } from 'node:ffi';

const names = ['libgssapi_krb5.so.2', 'libgssapi_krb5.so', 'libgssapi_krb5.dylib'];
const p = 'pointer';
const u = 'uint32';

type Functions = ReturnType<typeof open>;
let loaded: Functions | undefined;

function open(name: string) {
  return dlopen(name, {
    gss_acquire_cred_from: { arguments: [p, p, u, p, u, p, p, p, p], return: u },
    gss_accept_sec_context: { arguments: [p, p, p, p, p, p, p, p, p, p, p], return: u },
    gss_init_sec_context: { arguments: [p, p, p, p, p, u, u, p, p, p, p, p, p], return: u },
    gss_display_name: { arguments: [p, p, p, p], return: u },
    gss_display_status: { arguments: [p, u, u, p, p, p], return: u },
    gss_import_name: { arguments: [p, p, p, p], return: u },
    gss_get_name_attribute: { arguments: [p, p, p, p, p, p, p, p], return: u },
    gss_set_neg_mechs: { arguments: [p, p, p], return: u },
    gss_release_buffer: { arguments: [p, p], return: u },
    gss_release_cred: { arguments: [p, p], return: u },
    gss_release_name: { arguments: [p, p], return: u },
    gss_delete_sec_context: { arguments: [p, p, p], return: u },
  }).functions;
}

/** MIT's GSSAPI library, loaded at first use; throws if it is not installed. */
export function gss(): Functions {
  for (const name of names) {
    if (loaded !== undefined) break;
    try {
      loaded = open(name);
    } catch {
      // the next name, or none
    }
  }
  if (loaded === undefined) {
    throw new Error(`the library ${names[0]} cannot be loaded; Debian has it in the package libgssapi-krb5-2`);
  }
  return loaded;
}

/** Memory that a structure points to must live as long as the structure. */
const pointedTo = new WeakMap<Buffer, readonly unknown[]>();

/** Space for a pointer or a number that a function writes. */
export const cell = (): Buffer => Buffer.alloc(8);
/** The value in such a space, or at an offset of a structure. */
export const pointerIn = (bytes: Buffer, offset = 0): bigint => bytes.readBigUInt64LE(offset);

/** A structure of 64-bit fields: numbers, and pointers to bytes. */
export function structure(...fields: readonly (bigint | Uint8Array)[]): Buffer {
  const bytes = Buffer.alloc(8 * fields.length);
  for (const [index, field] of fields.entries()) {
    bytes.writeBigUInt64LE(typeof field === 'bigint' ? field : getRawPointer(field), 8 * index);
  }
  pointedTo.set(bytes, fields);
  return bytes;
}

/** gss_buffer_desc: a length and a pointer to the bytes. */
export function bufferOf(bytes?: Uint8Array): Buffer {
  return bytes === undefined || bytes.length === 0 ? structure(0n, 0n) : structure(BigInt(bytes.length), bytes);
}

/** The bytes of a buffer that the library has filled, which is released. */
export function taken(buffer: Buffer): Buffer {
  const length = Number(pointerIn(buffer));
  const bytes = length === 0 ? Buffer.alloc(0) : Buffer.from(toBuffer(pointerIn(buffer, 8), length));
  gss().gss_release_buffer(cell(), buffer);
  return bytes;
}

/** A null-terminated string. */
export const cString = (text: string): Buffer => Buffer.from(`${text}\0`);

/** gss_OID_desc for the bytes of an object identifier. */
const oid = (hex: string): Buffer => structure(BigInt(hex.length / 2), Buffer.from(hex, 'hex'));

/** The mechanisms and name types used here. */
export const oids = {
  krb5: oid('2a864886f712010202'),
  spnego: oid('2b0601050502'),
  krb5Name: oid('2a864886f71201020201'),
  /** GSS_C_NT_HOSTBASED_SERVICE; without a host it matches the service on every host. */
  serviceName: oid('2a864886f71201020104'),
};

/** gss_OID_set_desc. */
export function oidSet(...list: readonly Buffer[]): Buffer {
  const set = structure(BigInt(list.length), Buffer.concat(list));
  pointedTo.set(set, [...(pointedTo.get(set) ?? []), ...list]);
  return set;
}

/** gss_channel_bindings_struct with data and no addresses; null for none. */
export function bindingsStruct(data: Uint8Array | undefined): Buffer | null {
  if (data === undefined) return null;
  const none = [0n, 0n, 0n, 0n, 0n, 0n];
  return structure(...none, BigInt(data.length), data);
}
