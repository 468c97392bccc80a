import { config } from '../../../../src/protocols/config/kind.ts';
import { engineNames } from '../../../support/engines.ts';
import { startServer } from '../../../support/server.ts';

// A server in a process of its own, so that its memory is its own. It tells its port, and at every message the most
// memory in use since the message before. Garbage does not count: how much of it there is depends on the machine.
const engine = engineNames.find((name) => name === process.argv[2]) ?? 'sqlite';
let most = 0;

function measure(): void {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  most = Math.max(most, heapUsed + external);
}

const server = await startServer({ engine, kinds: [config] });
const measuring = setInterval(measure, 20);
process.on('message', () => {
  measure();
  process.send?.({ bytes: most });
  most = 0;
});
process.on('disconnect', async () => {
  clearInterval(measuring);
  await server[Symbol.asyncDispose]();
  process.exit();
});
process.send?.({ port: server.port });
