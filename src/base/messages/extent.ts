/** How much an error terminates; each level includes those before it. Severity 20 and above mean `connection`. */
export type Extent = 'statement' | 'scope' | 'batch' | 'transaction' | 'connection';

/** How much an error terminates, and whether the client gets 3621 after it. */
interface Ending {
  readonly ends: Extent;
  /** `always`, or only if the statement was changing rows. */
  readonly saysTerminated?: 'always' | 'inChange';
}

/** A row that violates a constraint: 3621 follows. */
const refused: Ending = { ends: 'statement', saysTerminated: 'always' };
/** An arithmetic error: 3621 follows if rows were being changed. */
const arithmetic: Ending = { ends: 'statement', saysTerminated: 'inChange' };
/**
 * An error found when a statement is compiled: it terminates the batch, text or procedure that contains the statement,
 * and no CATCH in there sees it.
 */
const compiling: Ending = { ends: 'scope' };
/** Terminates the whole batch and rolls back its transaction. */
const undoing: Ending = { ends: 'transaction' };

/** The exceptions, by message number: any other error terminates its statement, and the next one runs. */
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
  550: refused,
  596: undoing,
  1087: compiling,
  1205: undoing,
  2229: compiling,
  2389: compiling,
  2601: refused,
  2627: refused,
  2628: refused,
  2714: undoing,
  2715: compiling,
  3930: undoing,
  3960: undoing,
  3966: undoing,
  4104: compiling,
  4413: compiling,
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

/** How much an error terminates, judging by its number and severity alone. */
export const extentOf = ({ number, severity }: { readonly number: number; readonly severity: number }): Extent =>
  severity >= 20 ? 'connection' : (endings[number]?.ends ?? 'statement');

/** True for an error after which the client gets 3621, "The statement has been terminated". */
export function saysTerminated(number: number, inChange: boolean): boolean {
  const says = endings[number]?.saysTerminated;
  return says === 'always' || (says === 'inChange' && inChange);
}
