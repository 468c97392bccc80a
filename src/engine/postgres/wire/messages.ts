/** One run of a statement: by its name or, without one, as it was last parsed. */
export interface Run {
  readonly name: string;
  /** Text, raw bytes, or NULL. */
  readonly values: readonly (string | Buffer | null)[];
  /** True if the columns of the result are requested. */
  readonly described: boolean;
}

const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const executeAll = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const sync = Buffer.from([0x53, 0, 0, 0, 4]);
const bindCode = 0x42;
/**
 * The size of a Bind without its name and values: code, length, two terminators, three counts and the result format.
 */
const bindFrame = 1 + 4 + 1 + 1 + 2 + 2 + 2 + 2;

/**
 * The messages Bind, Describe and Execute of statements, and Sync after the last, in one buffer: the driver writes each
 * to the socket separately, which costs more than their content.
 */
export function runMessages(runs: readonly Run[], isLast: boolean): Buffer {
  const lengths = runs.map(bindLength);
  const whole = runs.reduce(
    (sum, { described }, at) => sum + (lengths[at] ?? 0) + (described ? describePortal.length : 0) + executeAll.length,
    isLast ? sync.length : 0,
  );
  const bytes = Buffer.allocUnsafe(whole);
  let at = 0;
  runs.forEach((run, index) => {
    at = writeBind(bytes, at, run, lengths[index] ?? 0);
    if (run.described) at += describePortal.copy(bytes, at);
    at += executeAll.copy(bytes, at);
  });
  if (isLast) sync.copy(bytes, at);
  return bytes;
}

function bindLength({ name, values }: Run): number {
  let length = bindFrame + name.length;
  for (const value of values) length += 6 + (value === null ? 0 : Buffer.byteLength(value));
  return length;
}

/** Returns the position after the message. */
function writeBind(bytes: Buffer, start: number, { name, values }: Run, length: number): number {
  let at = bytes.writeUInt8(bindCode, start);
  at = bytes.writeInt32BE(length - 1, at);
  at = bytes.writeUInt8(0, at);
  at += bytes.write(name, at, 'latin1');
  at = bytes.writeUInt8(0, at);
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) at = bytes.writeInt16BE(typeof value === 'object' && value !== null ? 1 : 0, at);
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at);
      continue;
    }
    const written = typeof value === 'string' ? bytes.write(value, at + 4, 'utf8') : value.copy(bytes, at + 4);
    bytes.writeInt32BE(written, at);
    at += 4 + written;
  }
  at = bytes.writeInt16BE(1, at);
  return bytes.writeInt16BE(0, at);
}
