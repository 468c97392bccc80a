import { inTurns } from '../../base/threads/steps.ts';
import type { Turn } from '../../base/threads/turn.ts';
import type { Statement } from '../ast/statement.ts';
import { type ParseOptions, parseSteps } from './parse.ts';

/** What a tree takes for each character of its text, about: `1+1+1+…` takes 40 bytes, the text itself up to 2. */
const bytesPerCharacter = 50;

/** What recent texts were read as, so that a text that comes again need not be read again; the oldest go first. */
export class KeptTrees {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #trees = new Map<string, readonly Statement[]>();
  #bytes = 0;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  get count(): number {
    return this.#trees.size;
  }

  /** Reads a text as `parse` does, and a long one in turns. */
  async read(text: string, options: ParseOptions, turn: Turn): Promise<readonly Statement[]> {
    const [variables, tables] = [[...(options.variables ?? [])], [...(options.tables ?? [])]];
    const wanted = { ...options, variables, tables };
    // A text that is too long to be kept is not looked up either: that alone would take time from others.
    if (!this.#mayBeKept(text)) return (await inTurns(parseSteps(text, wanted), turn)).statements;
    const { quotedIdentifier = true, isForCursor = false } = options;
    const key = `${quotedIdentifier ? 'q' : ''}${isForCursor ? 'c' : ''} ${variables.join(',')}${tables.map((name) => `,${name} table`).join('')}\n${text}`;
    const before = this.#trees.get(key);
    if (before !== undefined) {
      this.#trees.delete(key);
      this.#trees.set(key, before);
      return before;
    }
    const { statements } = await inTurns(parseSteps(text, wanted), turn);
    // A text with a password in it is not kept; SQL Server does not either.
    if (!/password/i.test(text)) this.#keep(key, statements);
    return statements;
  }

  /** One text does not push out more than an eighth of the others. */
  #mayBeKept(text: string): boolean {
    return sizeOf(text) <= this.#mostBytes / 8;
  }

  #keep(key: string, statements: readonly Statement[]): void {
    const bytes = sizeOf(key);
    if (!this.#mayBeKept(key)) return;
    // Another session may have read the same text meanwhile.
    if (this.#trees.has(key)) return;
    this.#trees.set(key, statements);
    this.#bytes += bytes;
    for (const oldest of this.#trees.keys()) {
      if (this.#trees.size <= this.#most && this.#bytes <= this.#mostBytes) return;
      this.#trees.delete(oldest);
      this.#bytes -= sizeOf(oldest);
    }
  }
}

const sizeOf = (key: string): number => key.length * bytesPerCharacter;

/** The trees of recent batches of all sessions. */
export const recentTrees = new KeptTrees(1000, 16 * 1024 * 1024);
