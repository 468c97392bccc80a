/** How an output is put where it belongs. */
export interface WriteOptions {
  /** Whether one that is there may be replaced. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/** How an input is brought here. */
export interface ReadOptions {
  /** The most bytes of it. */
  readonly largest: number;
  readonly signal: AbortSignal;
}

/** Where documents come from and go to. All of it rejects with a WorkError, or with the reason of the signal. */
export interface Place {
  /** Brings a document into a file of this machine. */
  read(url: URL, into: string, options: ReadOptions): Promise<void>;
  /** Puts a file there: whole, or not at all. */
  write(url: URL, from: string, options: WriteOptions): Promise<void>;
  /** Removes what was left half done by workers that were killed, where this place knows of any. */
  tidy?(): Promise<void>;
}
