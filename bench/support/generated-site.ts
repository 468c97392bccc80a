import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./site-process.ts', import.meta.url));

/** The site of the crawler's tests, served by a process of its own. */
export interface GeneratedSite extends AsyncDisposable {
  readonly startAddresses: readonly string[];
  /** How many pages there are to be found. */
  readonly found: number;
}

/** Starts the site; each time it is as it was. */
export async function startSite(pages: number): Promise<GeneratedSite> {
  const child = spawn(process.execPath, [script, String(pages)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    ...JSON.parse(line),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
