import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of one half of V8's young generation beyond which log-ins do not make it grow. */
const enough = 1_000_000;
/** Log-ins between two looks: each leaves some 25 KB that survives. */
const between = 16;
/** Milliseconds without a log-in after which it may grow again, as calls want it to. */
const calm = 1000;

/**
 * Keeps V8 from taking a crowd of clients that log in for a program that needs a large young generation: all that a session
 * keeps survives, by which V8 doubles it, to 32 MB and with as much garbage outside of its heap; all that a call makes does not.
 */
export class YoungGeneration {
  #arrivals = 0;
  #grows: NodeJS.Timeout | undefined;

  /** Somebody is about to log in. */
  arrive(): void {
    if (this.#arrivals++ % between > 0) return;
    if (this.#grows !== undefined) this.#grows.refresh();
    else if (halfSize() >= enough) {
      growBy(1);
      this.#grows = setTimeout(() => {
        this.#grows = undefined;
        growBy(2);
      }, calm).unref();
    }
  }
}

/** What V8 multiplies its size with; Node has no other way to say it while it runs. */
const growBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function halfSize(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return young === undefined ? 0 : young.space_used_size + young.space_available_size;
}
