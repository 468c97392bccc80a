import { MessageWriter } from '../../tds/packet/index.ts';

/** Unused writers: a session holds one only while it responds, so that a thousand idle sessions hold none. */
const idle: MessageWriter[] = [];
/** More than this many at once is a burst; their buffers go back to the heap. */
const keptWriters = 64;

/** Takes a writer for one response. */
export function leaseWriter(packetSize: number, spid: number): MessageWriter {
  const writer = idle.pop() ?? new MessageWriter(packetSize, spid);
  writer.packetSize = packetSize;
  writer.spid = spid;
  return writer;
}

/** Returns a writer after its message ended. */
export function returnWriter(writer: MessageWriter): void {
  if (idle.length < keptWriters) idle.push(writer);
}
