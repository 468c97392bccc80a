import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { WorkError } from '../documents/work-error.ts';
import type { Loading, Storing } from './formats.ts';
import { connected, endGroup, exited, hasEnded, type LaunchOptions, launch, removeSocket } from './launch.ts';
import { writeProfile } from './profile.ts';
import type { Properties } from './uno/marshal.ts';
import { Office, type OpenDocument } from './uno/office.ts';
import { OfficeGone, UnoError } from './uno/uno-error.ts';

/** LibreOffice exits with this code after setting up a new profile, and must be started again. */
const startAgain = 81;
/** Milliseconds that an instance may take to start, and to exit when asked to. */
const longestStart = 60_000;
const longestEnd = 5_000;

/** The files of one conversion, in the instance's own folder. */
export interface Conversion {
  readonly input: string;
  readonly output: string;
  readonly loading: Loading;
  readonly storing: Storing;
}

/** One headless LibreOffice that keeps running, with its own profile. */
export class OfficeInstance implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #socket: string;
  readonly #office: Office;
  #done = 0;
  #isKilled = false;

  private constructor(started: ChildProcess, socket: string, office: Office) {
    this.#process = started;
    this.#socket = socket;
    this.#office = office;
  }

  static async start(options: LaunchOptions, signal: AbortSignal): Promise<OfficeInstance> {
    await writeProfile(join(options.folder, 'profile'));
    const late = AbortSignal.timeout(longestStart);
    const both = AbortSignal.any([signal, late]);
    for (;;) {
      const name = `granary${randomBytes(12).toString('hex')}`;
      const child = launch(options, name);
      try {
        const stream = await connected(name, child, both);
        return new OfficeInstance(child, name, await Office.over(stream));
      } catch (error) {
        endGroup(child);
        await exited(child);
        await removeSocket(name);
        if (child.exitCode === startAgain && !both.aborted) continue;
        if (signal.aborted) throw signal.reason;
        const said = error instanceof Error ? error.message : String(error);
        throw new WorkError('crashed', `LibreOffice does not start: ${late.aborted ? 'it takes too long' : said}.`);
      }
    }
  }

  /** How many documents it has processed. */
  get done(): number {
    return this.#done;
  }

  /** False if it cannot take more documents. */
  get isUp(): boolean {
    return !this.#isKilled && !hasEnded(this.#process) && this.#office.isSound;
  }

  /** Converts one document; after a WorkError of `crashed` or `timedOut` the instance is gone. */
  async convert(conversion: Conversion, timeout: number, signal: AbortSignal): Promise<void> {
    this.#done++;
    const late = AbortSignal.timeout(timeout);
    const enough = AbortSignal.any([signal, late]);
    const kill = () => this.#kill();
    enough.addEventListener('abort', kill, { once: true });
    try {
      if (enough.aborted) kill();
      await this.#convert(conversion);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.aborted) {
        throw new WorkError('timedOut', `LibreOffice did not finish it within ${Math.round(timeout / 1000)} seconds.`);
      }
      throw await this.#explained(error);
    } finally {
      enough.removeEventListener('abort', kill);
    }
  }

  async #convert({ input, output, loading, storing }: Conversion): Promise<void> {
    const document = await this.#load(input, loading);
    try {
      await document.store(pathToFileURL(output).href, {
        ...named(storing.filter, storing.options),
        Overwrite: { is: 'boolean', value: true },
      });
    } catch (error) {
      if (!(error instanceof UnoError)) throw error;
      const code = error.code === undefined ? '' : ` (0x${error.code.toString(16)})`;
      throw new WorkError('notStored', `LibreOffice cannot store it in that format${code}.`, { cause: error });
    } finally {
      // A document that cannot be closed would stay in memory: the instance is discarded.
      await document.close().catch(() => this.#kill());
    }
  }

  async #load(input: string, { filter, options }: Loading): Promise<OpenDocument> {
    const properties: Properties = {
      Hidden: { is: 'boolean', value: true },
      ReadOnly: { is: 'boolean', value: true },
      MacroExecutionMode: { is: 'short', value: 0 },
      UpdateDocMode: { is: 'short', value: 0 },
      ...named(filter, options),
    };
    let cause: UnoError | undefined;
    try {
      const document = await this.#office.load(pathToFileURL(input).href, properties);
      if (document !== undefined) return document;
    } catch (error) {
      if (!(error instanceof UnoError)) throw error;
      cause = error;
    }
    if (this.#office.wantsPassword) {
      throw new WorkError('passwordProtected', 'The document is password-protected.');
    }
    throw new WorkError(
      'unreadable',
      'LibreOffice cannot read the document: it is damaged, or not what its name says.',
      {
        cause,
      },
    );
  }

  #kill(): void {
    this.#isKilled = true;
    endGroup(this.#process);
  }

  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof OfficeGone)) return error;
    this.#kill();
    await exited(this.#process);
    const { exitCode, signalCode } = this.#process;
    return new WorkError(
      'crashed',
      `LibreOffice terminated while processing it (${signalCode ?? `exit code ${exitCode}`}).`,
    );
  }

  /** Asks it to exit, and kills it if it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isUp) {
      const asked = this.#office.terminate().catch(() => {});
      await Promise.race([Promise.all([asked, exited(this.#process)]), delay(longestEnd, undefined, { ref: false })]);
    }
    this.#office.close();
    endGroup(this.#process);
    await exited(this.#process);
    await removeSocket(this.#socket);
  }
}

function named(filter: string | undefined, options: string | undefined): Properties {
  return {
    ...(filter !== undefined && { FilterName: { is: 'string', value: filter } }),
    ...(options !== undefined && { FilterOptions: { is: 'string', value: options } }),
  };
}
