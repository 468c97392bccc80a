/** A round of MD4: its function, its constant, its rotations, and the order of the words. */
interface Round {
  readonly mix: (x: number, y: number, z: number) => number;
  readonly add: number;
  readonly shifts: readonly number[];
  readonly order: readonly number[];
}

const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    add: 0,
    shifts: [3, 7, 11, 19],
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    add: 0x5a827999,
    shifts: [3, 5, 9, 13],
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    add: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
];

const blockLength = 64;

/** MD4 (RFC 1320), which OpenSSL 3 has in its legacy provider only. */
function md4(input: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil((input.length + 9) / blockLength) * blockLength);
  input.copy(padded);
  padded[input.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(input.length) * 8n, padded.length - 8);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let at = 0; at < padded.length; at += blockLength) mixBlock(state, padded, at);
  const digest = Buffer.alloc(16);
  for (const [index, word] of state.entries()) digest.writeUInt32LE(word, 4 * index);
  return digest;
}

function mixBlock(state: Uint32Array, bytes: Buffer, at: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (const { mix, add, shifts, order } of rounds) {
    for (const [step, word] of order.entries()) {
      const sum = (a + mix(b, c, d) + bytes.readUInt32LE(at + 4 * word) + add) >>> 0;
      const shift = shifts[step & 3] ?? 0;
      [a, b, c, d] = [d, ((sum << shift) | (sum >>> (32 - shift))) >>> 0, b, c];
    }
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + word;
}

/** The hash by which NTLM verifies a password (MS-NLMP 3.3.1: NTOWFv1). It is equivalent to the password. */
export function ntHash(password: string): Buffer {
  return md4(Buffer.from(password, 'utf16le'));
}
