/** Milliseconds of processor time that this thread has used; other threads and processes do not count. */
export function busyMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

interface Kind {
  /** Milliseconds of processor time that the work takes on the reference: two cores of an AMD EPYC, Node 26, 2026-11-16. */
  readonly reference: number;
  readonly work: () => unknown;
}

const line = 'granary '.repeat(125);
const lines = 8_000;
const long = 'Σῖτος ΣΙΤΟΒΟΛΕῖΟΝ\ud800 '.repeat(50_000);
const rows = 20_000;

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum;
}

function readTexts(): number {
  let sum = 0;
  for (let at = 0; at < lines; at++) sum ^= sumOf(line);
  return sum;
}

function changeLongTexts(): number {
  const lowered = long.toLowerCase().replaceAll('ς', 'σ');
  return Buffer.from(`${lowered}${long}`, 'utf16le').toString('utf16le').lastIndexOf('ΟΣ');
}

function makeObjects(): number {
  const made = Array.from({ length: rows }, (_, at) => ({ key: `k${(at * 7919) % rows}`, values: [at, null] }));
  const byKey = new Map(made.map((row) => [row.key, row]));
  made.sort((a, b) => (a.key < b.key ? -1 : 1));
  return made.filter(({ key }) => byKey.has(key)).length;
}

/** The same work at every time, of the kinds that statements consist of: a machine may be slow at one of them alone. */
const kinds: readonly Kind[] = [
  { reference: 8, work: readTexts },
  { reference: 10, work: changeLongTexts },
  { reference: 15, work: makeObjects },
  { reference: 12, work: () => Buffer.alloc(24_000_000, 1).lastIndexOf(2) },
];

function timed({ work }: Kind): number {
  const before = busyMilliseconds();
  work();
  return busyMilliseconds() - before;
}

let isWarm = false;

/** How many times slower than the reference this processor is now, at what it is slowest at; 1 when it is no slower. */
export function slowness(): number {
  for (let round = 0; round < 5 && !isWarm; round++) kinds.forEach(timed);
  isWarm = true;
  // The better of two: neither of them may have been held up by garbage that others left.
  return Math.max(1, ...kinds.map((kind) => Math.min(timed(kind), timed(kind)) / kind.reference));
}
