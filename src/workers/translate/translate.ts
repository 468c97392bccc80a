/** A document to translate: files of this machine. */
export interface Translation {
  readonly input: string;
  readonly output: string;
  /** The extension that gives the format: docx. */
  readonly format: string;
  /** Languages as the job names them: en, eng, en-US. */
  readonly from: string;
  readonly to: string;
}

/**
 * An engine that translates: reads the input and writes the output. Rejects with a WorkError, `unsupported` for a pair
 * of languages or a format that it has not, or with the reason of the signal.
 */
export type Translate = (translation: Translation, signal: AbortSignal) => Promise<void>;
