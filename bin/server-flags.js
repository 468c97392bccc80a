// Plain JavaScript that Node 20 understands.
import { availableParallelism } from 'node:os';
import process from 'node:process';

/** Threads in which V8 collects garbage and compiles: four unless said otherwise, which on two processors stand in each other's way. */
const poolSize = '--v8-pool-size=';
const mostThreads = 4;

/** Milliseconds of quiet after which V8 collects what a crowd of clients has left behind: half a minute unless said otherwise. */
const collectionWhenQuiet = '--gc-memory-reducer-start-delay-ms=3000';

/** Node warns that node:ffi may change (src/cli/freed-memory.ts), which is nothing an operator can act on. */
const quiet = '--disable-warning=ExperimentalWarning';

/** The first release of Node that has node:ffi, and whose V8 knows the flag above: others refuse to start with it. */
const firstWithBoth = 26;

/** Areas in which glibc hands out memory: one for each thread unless said otherwise, and each keeps what was given back. */
const arenas = '2';

/** The flags and variables that a version of Node must be started with to serve, since neither can be set once it runs. */
export function serverFlags(version = process.versions.node) {
  const threads = Math.max(1, Math.min(mostThreads, availableParallelism() - 1));
  const [major] = version.split('.').map(Number);
  return {
    flags: isPoolSizeGiven()
      ? []
      : [`${poolSize}${threads}`, ...(major < firstWithBoth ? [] : [collectionWhenQuiet, quiet])],
    environment: { MALLOC_ARENA_MAX: arenas, ...process.env },
  };
}

/** Whoever starts Node with a size of their own has decided; so has this, the second time. */
const isPoolSizeGiven = () =>
  process.execArgv.some((flag) => flag.startsWith(poolSize)) || (process.env.NODE_OPTIONS ?? '').includes(poolSize);

/** Becomes the same program with these flags, in the same process: who watches it notices nothing. */
export function startWithServerFlags({ isSingleFile = false } = {}) {
  const { flags, environment } = serverFlags();
  // Windows has no execve, nor has Node before 22.15; and a channel to whoever started it would be lost.
  if (flags.length === 0 || process.execve === undefined || process.channel !== undefined) return;
  const own = process.argv.slice(1);
  // A single-file executable hands every argument to its script, and its name twice; flags come from the environment alone,
  // which takes some of them only.
  if (isSingleFile) {
    const taken = flags.filter((flag) => process.allowedNodeEnvironmentFlags.has(flag.replace(/=.*/, '')));
    const options = [process.env.NODE_OPTIONS, ...taken].filter(Boolean).join(' ');
    process.execve(process.execPath, [process.execPath, ...own.slice(1)], { ...environment, NODE_OPTIONS: options });
  }
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, ...own], environment);
}
