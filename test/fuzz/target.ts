import type { Random } from './random.ts';

/** Something that must withstand any input: a decoder, the parser, a server. */
export interface Target {
  readonly name: string;
  /** True for one that needs a server and is not quick. */
  readonly isSlow?: boolean;
  /** An input made by chance. */
  make(random: Random): Buffer;
  /** Feeds it; rejects or throws anything but a SqlError only where something is wrong. */
  run(input: Buffer): Promise<void> | void;
  /** Opens what the target needs. */
  open?(): Promise<AsyncDisposable>;
}
