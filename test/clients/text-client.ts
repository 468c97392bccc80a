import { spawn } from 'node:child_process';

/** What a client that reads T-SQL and writes text said to one script. */
export interface Said {
  /** The lines of all result sets, cut at the column separator. */
  readonly lines: readonly (readonly string[])[];
  /** The numbers of the errors. */
  readonly errors: readonly number[];
  readonly output: string;
}

/** A client that reads T-SQL from its input and writes rows as lines of text. */
export interface TextClient {
  readonly version: string;
  /** How the client writes NULL. */
  readonly null: string;
  /** Runs batches, each in a line of its own `go`, in one session. */
  run(database: string, batches: readonly string[], password?: string): Promise<Said>;
}

/** Runs a program with this input; what it writes to either output comes back. */
export function pipe(
  command: string,
  args: readonly string[],
  input: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly out: string; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...environment } });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
    child.on('error', reject);
    child.on('close', () => resolve({ out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() }));
    child.stdin.on('error', () => {}); // a client that ends early has said why
    child.stdin.end(input);
  });
}

/** The numbers in FreeTDS' way to tell of errors: `Msg 2812 (severity 16, …)`, `Msg 2812, Level 16, …`. */
export const messageNumbers = (text: string): number[] =>
  [...text.matchAll(/^Msg (\d+)/gm)].map(([, number]) => Number(number));

/** The lines of a text that hold several columns, as their cells. */
export const cut = (output: string, separator: string): string[][] =>
  output
    .split('\n')
    .flatMap((line) => (line.includes(separator) ? [line.split(separator).map((cell) => cell.trim())] : []));
