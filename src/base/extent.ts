/** What an error ends, each including those before it. `connection` is what severity 20 and above mean. */
export type Extent = 'statement' | 'scope' | 'batch' | 'transaction' | 'connection';

/** What an error ends, and whether the client hears 3621 after it. */
interface Ending {
  readonly ends: Extent;
  /** `always`, or only where the statement was changing rows. */
  readonly saysTerminated?: 'always' | 'inChange';
}

/** Rows that a constraint refuses: 3621 follows. */
const refused: Ending = { ends: 'statement', saysTerminated: 'always' };
/** Arithmetic: 3621 follows where rows were being changed. */
const arithmetic: Ending = { ends: 'statement', saysTerminated: 'inChange' };
/** Found when a statement is compiled: ends the batch, text or procedure that it stands in, and no CATCH there sees it. */
const compiling: Ending = { ends: 'scope' };
/** Ends the whole batch and undoes its transaction. */
const undoing: Ending = { ends: 'transaction' };

/** What each message ends; one that is not here ends its statement, and the next one runs. */
const endings: Readonly<Record<number, Ending>> = {
  137: compiling,
  195: compiling,
  206: compiling,
  207: compiling,
  208: compiling,
  209: compiling,
  217: undoing,
  220: arithmetic,
  232: arithmetic,
  235: undoing,
  241: undoing,
  244: undoing,
  245: undoing,
  248: undoing,
  257: compiling,
  258: compiling,
  259: compiling,
  295: undoing,
  402: compiling,
  515: refused,
  529: compiling,
  547: refused,
  596: undoing,
  1087: compiling,
  1205: undoing,
  2229: compiling,
  2389: compiling,
  2601: refused,
  2627: refused,
  2628: refused,
  2714: undoing,
  3930: undoing,
  3960: undoing,
  3966: undoing,
  4104: compiling,
  8114: undoing,
  8115: arithmetic,
  8117: compiling,
  8120: compiling,
  8133: compiling,
  8134: arithmetic,
  8152: refused,
  8169: undoing,
  8172: compiling,
  9335: compiling,
  9500: compiling,
  40197: undoing,
  40613: undoing,
};

/** What an error ends by its number and severity alone. */
export const extentOf = ({ number, severity }: { readonly number: number; readonly severity: number }): Extent =>
  severity >= 20 ? 'connection' : (endings[number]?.ends ?? 'statement');

/** True for an error after which the client hears 3621, that the statement has been terminated. */
export function saysTerminated(number: number, inChange: boolean): boolean {
  const says = endings[number]?.saysTerminated;
  return says === 'always' || (says === 'inChange' && inChange);
}
