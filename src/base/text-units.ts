const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Text from UTF-16 units, without a string for each of them. */
export function textOfUnits(units: Uint16Array): string {
  const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
  return (isLittleEndian ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
}

/** The UTF-16 units of a text. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}
