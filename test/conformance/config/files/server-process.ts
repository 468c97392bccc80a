import { config } from '../../../../src/protocols/config/kind.ts';
import { engineNames } from '../../../support/engines.ts';
import { memoryInUse } from '../../../support/memory-in-use.ts';
import { startServer } from '../../../support/server.ts';

// A server in a process of its own, so that its memory is its own. It tells its port, and at every message the most
// memory in use since the message before.
const engine = engineNames.find((name) => name === process.argv[2]) ?? 'sqlite';
let most = 0;

function measure(): void {
  most = Math.max(most, memoryInUse());
}

/**
 * Measures again and again, a third of the time. At a fixed interval shorter than a collection it would be once every
 * turn of the event loop, and a segment on PostgreSQL takes a dozen turns: 1 GB took five minutes.
 */
function keepMeasuring(): NodeJS.Timeout {
  const began = performance.now();
  measure();
  const took = performance.now() - began;
  return setTimeout(() => {
    measuring = keepMeasuring();
  }, 2 * took);
}

const server = await startServer({ engine, kinds: [config] });
let measuring = keepMeasuring();
process.on('message', () => {
  measure();
  process.send?.({ bytes: most });
  most = 0;
});
process.on('disconnect', async () => {
  clearTimeout(measuring);
  await server[Symbol.asyncDispose]();
  process.exit();
});
process.send?.({ port: server.port });
