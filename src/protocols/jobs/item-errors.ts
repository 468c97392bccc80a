/** One way in which an item fails. */
interface Failure {
  readonly code: number;
  readonly text: string;
  /** True if another attempt may succeed. */
  readonly again?: true;
}

/**
 * Errors with which an item may end, as reported by Granary and its own workers; other clients have their own codes.
 */
export const itemErrors = {
  workerLost: { code: 1, text: 'The worker was not heard of again, and no attempt is left.' },
  unreadable: { code: 100, text: 'The document is damaged, or not what its name says.' },
  passwordProtected: { code: 101, text: 'The document is password-protected.' },
  unsupported: { code: 102, text: 'This format, pair of formats or pair of languages is not supported.' },
  tooLarge: { code: 103, text: 'The document is too large.' },
  timedOut: { code: 104, text: 'It took too long.', again: true },
  crashed: { code: 105, text: 'The program that does the work ended in the midst of it.', again: true },
  notStored: { code: 106, text: 'The program cannot write the document in that format.' },
  badSettings: { code: 110, text: 'The settings of the job cannot be understood.' },
  badName: { code: 111, text: 'The name of the input or output names no file.' },
  notAllowed: { code: 112, text: 'The input or output is outside of what the worker may use.' },
  notFound: { code: 113, text: 'The input is not there.' },
  accessDenied: { code: 114, text: 'The worker has no right to the input or output.' },
  outputExists: { code: 115, text: 'The output exists and may not be replaced.' },
  folderMissing: { code: 116, text: 'The folder of the output is not there.', again: true },
  diskFull: { code: 117, text: 'There is no space for the output.', again: true },
  unreachable: { code: 118, text: 'What holds the input or output cannot be reached.', again: true },
  stopped: { code: 119, text: 'The worker was stopped before it was done.', again: true },
  failed: { code: 199, text: 'The worker failed for a reason of its own.', again: true },
} as const satisfies Readonly<Record<string, Failure>>;

/** The names of these errors. */
export type ItemError = keyof typeof itemErrors;

/** Whether another attempt may succeed. */
export const isTriedAgain = (error: ItemError): boolean => 'again' in itemErrors[error];
