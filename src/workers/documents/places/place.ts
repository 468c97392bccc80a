/** How an output is stored. */
export interface WriteOptions {
  /** Whether an existing one may be replaced. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** How an input is brought here. */
export interface ReadOptions {
  /** The most bytes of it. */
  readonly largest: number;
  readonly signal: AbortSignal;
}

/** A place of documents. Everything rejects with a WorkError, or with the reason of the signal. */
export interface Place {
  /** Brings a document into a file of this machine. */
  read(url: URL, into: string, options: ReadOptions): Promise<void>;
  /** Puts a file there: whole, or not at all. */
  write(url: URL, from: string, options: WriteOptions): Promise<void>;
  /** Removes unfinished outputs of killed workers, if this place knows any. */
  tidy?(): Promise<void>;
}
