import { execFileSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What can be made to go wrong, in the order in which the shim has it: numbers of errors, milliseconds, seconds. */
const faults = ['writeError', 'readError', 'syncError', 'syncDelay', 'clockOffset', 'readOnly'] as const;

export type Fault = (typeof faults)[number];

/** What stands between a server and its disk and clock. */
export class Shim {
  readonly #folder: string;
  readonly #root: string;
  readonly #control: number;

  /** Compiles it into a folder; `root` is the folder of the data that it minds. */
  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#root = root;
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', join(folder, 'shim.so'), source, '-ldl', '-lpthread']);
    writeFileSync(join(folder, 'control'), Buffer.alloc(4 * faults.length));
    this.#control = openSync(join(folder, 'control'), 'r+');
  }

  /** What a server needs in its environment to be minded. */
  get environment(): Record<string, string> {
    const of = (name: string) => join(this.#folder, name);
    return {
      LD_PRELOAD: of('shim.so'),
      FAULTS_ROOT: this.#root,
      FAULTS_CONTROL: of('control'),
      FAULTS_TRACE: of('trace'),
    };
  }

  set(fault: Fault, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    writeSync(this.#control, bytes, 0, 4, 4 * faults.indexOf(fault));
  }

  /** All that was written and synced so far. */
  trace(): Buffer {
    return readFileSync(join(this.#folder, 'trace'));
  }
}

const source = fileURLToPath(new URL('./shim.c', import.meta.url));
