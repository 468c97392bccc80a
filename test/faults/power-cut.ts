import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Chance } from './chance.ts';

/** Something that was done to a file. */
interface Event {
  readonly op: string;
  readonly path: string;
  /** Where a write went, how long a file became, or which sync it was. */
  readonly at: number;
  readonly data: Buffer;
  /** Where it ends in the record. */
  readonly end: number;
}

const header = 15;
const sector = 512;

function* eventsOf(trace: Buffer): Generator<Event> {
  for (let at = 0; at + header <= trace.length; ) {
    const named = trace.readUInt16LE(at + 1);
    const length = trace.readUInt32LE(at + 11);
    const op = String.fromCharCode(trace[at] ?? 0);
    const begin = at + header + named;
    const end = begin + (op === 'W' ? length : 0);
    // The last one may have been cut short with the process.
    if (end > trace.length) return;
    const path = trace.toString('utf8', at + header, begin);
    yield { op, path, at: Number(trace.readBigUInt64LE(at + 3)), data: trace.subarray(begin, end), end };
    at = end;
  }
}

/** The record up to some moment: any, or the one at which a file is about to be synced for the first time. */
export function upToSomeMoment(trace: Buffer, chance: Chance): Buffer {
  const events = [...eventsOf(trace)];
  const syncs = events.filter(({ op }) => op === 'B');
  const firstOnes = [...Map.groupBy(syncs, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  return trace.subarray(0, chance.pick(chance.of(2) ? events : firstOnes).end);
}

/**
 * Lays down what a disk may hold after a power cut: of each file all that was written before its last finished sync began,
 * and of what came after, in whatever order, some, none or parts.
 */
export function layImage(trace: Buffer, folder: string, chance: Chance): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const byPath = Map.groupBy(eventsOf(trace), ({ path }) => path);
  for (const [path, events] of byPath) {
    const content = fileAfterCut(events, chance);
    if (content !== undefined) writeFileSync(join(folder, basename(path)), content);
  }
}

function fileAfterCut(events: readonly Event[], chance: Chance): Buffer | undefined {
  const kept = keptUntil(events);
  let file: Buffer | undefined;
  for (const [i, { op, at, data }] of events.entries()) {
    const isCertain = i < kept;
    if (op === 'U') file = undefined;
    else if (op === 'T' && (isCertain || chance.of(2))) file = resized(file, at);
    else if (op === 'W') {
      const part = isCertain ? data : chance.pick([data, data.subarray(0, 0), torn(data, chance)]);
      file ??= Buffer.alloc(0);
      if (part.length > 0) {
        file = file.length < at + part.length ? resized(file, at + part.length) : file;
        part.copy(file, at);
      }
    }
  }
  return file;
}

/** How many of the events of a file are on disk for sure: those before the last sync that came back began. */
function keptUntil(events: readonly Event[]): number {
  let kept = 0;
  const begun = new Map<number, number>();
  for (const [i, { op, at }] of events.entries()) {
    if (op === 'B') begun.set(at, i);
    else if (op === 'S') kept = Math.max(kept, begun.get(at) ?? 0);
  }
  return kept;
}

const torn = (data: Buffer, chance: Chance): Buffer =>
  data.subarray(0, sector * chance.below(Math.ceil(data.length / sector)));

function resized(file: Buffer | undefined, length: number): Buffer {
  const next = Buffer.alloc(length);
  file?.copy(next, 0, 0, Math.min(length, file.length));
  return next;
}
