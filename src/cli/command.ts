import type { Readable, Writable } from 'node:stream';
import type { Settings } from './settings.ts';

/** A terminal, a pipe or a file that a command reads a password from. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** What a command may touch of the process it runs in. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Input;
  /** For words, without anything that a terminal obeys. */
  readonly stdout: { write(text: string): unknown };
  readonly stderr: Writable;
  /** From this call on the process does not die of SIGTERM or SIGINT: the signal that is returned is aborted. */
  ending(): AbortSignal;
  /** From now on, SIGHUP calls the handler instead of ending the process. */
  onHangUp(handler: () => void): void;
}

/** A flag that only one command has. */
export interface CommandFlag {
  readonly placeholder: string;
  readonly help: string;
  readonly required?: true;
  /** True where several values may be given: `--start URL URL`. */
  readonly several?: true;
  /** True if it has no value: `--json`. */
  readonly bare?: true;
}

/** What a command gets. */
export interface Invocation {
  readonly settings: Settings;
  /** One value a placeholder of `args`, and what follows them. */
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  /** The values of flags that may have several. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly world: World;
}

/** One command of the command line. */
export interface Command {
  /** `database create` */
  readonly name: string;
  /** The placeholders of its arguments, all of them required. */
  readonly args: readonly string[];
  /** The placeholder of an argument that may follow them. */
  readonly optional?: string;
  /** The placeholder of what follows them, once or more. */
  readonly rest?: string;
  readonly summary: string;
  /** Further help, one paragraph each. */
  readonly details?: readonly string[];
  readonly flags?: Readonly<Record<string, CommandFlag>>;
  /** Which settings it takes: those of `all` that touch the data, those of `serve`. */
  readonly settings: readonly ('all' | 'serve')[];
  run(invocation: Invocation): Promise<void>;
}
