import { parseArgs } from 'node:util';
import { UsageError } from './errors.ts';

/** A parsed command line: its words, and its flags with their values. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  /** The values of flags that may have several. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly help: boolean;
}

/**
 * Reads a command line on which every flag but --help and the bare ones has a value (`--port 1433` or `--port=1433`).
 * One that may have several takes the words that follow it too (`--start URL URL`), and may be given again.
 */
export function readCommandLine(
  args: readonly string[],
  known: readonly string[],
  several: readonly string[] = [],
  bare: readonly string[] = [],
): CommandLine {
  const options = Object.fromEntries(
    known.map((flag) => [flag, { type: bare.includes(flag) ? 'boolean' : 'string' } as const]),
  );
  const help = { type: 'boolean', short: 'h' } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const flags = new Map<string, string>();
  const lists = new Map<string, string[]>();
  let following = words;
  let wantsHelp = false;
  for (const token of tokens) {
    if (token.kind === 'positional') following.push(token.value);
    if (token.kind !== 'option') continue;
    following = words;
    if (token.name === 'help') wantsHelp = true;
    else if (several.includes(token.name)) {
      following = lists.get(token.name) ?? [];
      following.push(flagValue(token, known, new Map()));
      lists.set(token.name, following);
    } else if (bare.includes(token.name)) flags.set(token.name, bareValue(token, flags));
    else flags.set(token.name, flagValue(token, known, flags));
  }
  return { words, flags, lists, help: wantsHelp };
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function flagValue(
  { name, rawName, value, inlineValue }: FlagToken,
  known: readonly string[],
  seen: ReadonlyMap<string, string>,
): string {
  if (!known.includes(name)) throw new UsageError(`Unknown flag ${rawName}.${suggestion(name, known)}`);
  if (seen.has(name)) throw new UsageError(`${rawName} is given twice.`);
  // `--port --data x` forgets a value; `--port=--data` means it.
  if (value === undefined || (!inlineValue && value.startsWith('-'))) throw new UsageError(`${rawName} needs a value.`);
  return value;
}

/** The value of a flag without a value. */
function bareValue({ name, rawName, value }: FlagToken, seen: ReadonlyMap<string, string>): string {
  if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (seen.has(name)) throw new UsageError(`${rawName} is given twice.`);
  return '';
}

/** The nearest word of a list, as the end of a message, if it is similar enough for a typing error. */
export function suggestion(word: string, known: readonly string[], prefix = '--'): string {
  const [nearest] = known.map((other) => ({ other, far: distance(word, other) })).sort((a, b) => a.far - b.far);
  return nearest !== undefined && nearest.far <= 2 ? ` Did you mean ${prefix}${nearest.other}?` : '';
}

/** How many letters must be added, removed or changed to make one word of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
