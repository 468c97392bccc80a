/** The ids of the properties that a target reports about itself, and of those that a client adds (MS-NLMP 2.2.2.1). */
export const avIds = {
  end: 0,
  computer: 1,
  domain: 2,
  dnsComputer: 3,
  dnsDomain: 4,
  flags: 6,
  timestamp: 7,
  targetName: 9,
  channelBindings: 10,
} as const;

/** MsvAvFlags: the message has a MIC. */
export const hasMicFlag = 2;

/** Reads AV pairs up to their end, or up to an invalid one. */
export function readAvPairs(bytes: Buffer): Map<number, Buffer> {
  const pairs = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const id = bytes.readUInt16LE(at);
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (id === avIds.end || end > bytes.length) break;
    pairs.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  return pairs;
}

/** Writes AV pairs and the end marker. */
export function writeAvPairs(pairs: Iterable<readonly [number, Uint8Array]>): Buffer {
  const parts: Uint8Array[] = [];
  for (const [id, value] of [...pairs, [avIds.end, new Uint8Array(0)] as const]) {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(id);
    head.writeUInt16LE(value.length, 2);
    parts.push(head, value);
  }
  return Buffer.concat(parts);
}
