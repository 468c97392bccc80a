import { bufferOf, cell, gss, taken } from './library.ts';

const [ofGss, ofMechanism] = [1, 2];
/** GSS_S_BAD_BINDINGS, one of the routine errors of a major status. */
const badBindings = 0x40000;
const routineErrors = 0xff0000;
const mostTexts = 8;

/** True for a status that is an error: its high half is not zero. */
export const isFailure = (major: number): boolean => major >>> 16 !== 0;
/** True for a status that requires another token. */
export const needsMore = (major: number): boolean => (major & 1) !== 0;

function textOf(kind: number, status: number): string {
  const more = Buffer.alloc(4);
  const texts: string[] = [];
  do {
    const text = bufferOf();
    gss().gss_display_status(cell(), status, kind, null, more, text);
    texts.push(taken(text).toString());
  } while (more.readUInt32LE() !== 0 && texts.length < mostTexts);
  return texts.join('; ');
}

function wordsOf(major: number, minor: number): string {
  const detail = minor === 0 ? '' : textOf(ofMechanism, minor);
  return detail === '' || detail === 'Success' ? textOf(ofGss, major) : detail;
}

/** A failed call of the library, with its message. */
export class GssError extends Error {
  override readonly name = 'GssError';
  readonly hasBadBindings: boolean;

  constructor(major: number, minor: number) {
    const hasBadBindings = (major & routineErrors) === badBindings;
    // The library has no message for this status and says "Success".
    super(hasBadBindings ? 'channel bindings do not match' : wordsOf(major, minor));
    this.hasBadBindings = hasBadBindings;
  }
}

/** Throws if a call has failed. */
export function check(major: number, minor: Buffer): void {
  if (isFailure(major)) throw new GssError(major, minor.readUInt32LE());
}
