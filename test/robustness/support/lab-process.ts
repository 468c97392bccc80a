import type { Settings } from '../../../src/cli/settings.ts';
import { engineNames } from '../../support/engines.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { startLab } from './lab-server.ts';

// A server in a process of its own, so that its memory is its own: tells where it is, then how it is at every message.
const engine = engineNames.find((name) => name === process.argv[2]) ?? 'sqlite';
const settings: Partial<Settings> = JSON.parse(process.argv[3] ?? '{}');
const server = await startLab({ engine, settings });
process.send?.({ port: server.port, certificate: server.granary.settings.tlsCert });
process.on('message', () => {
  const kept = memoryInUse();
  process.send?.({
    mostMemory: process.resourceUsage().maxRSS * 1024,
    memory: process.memoryUsage().rss,
    kept,
    connections: server.granary.connections,
  });
});
process.on('disconnect', async () => {
  await server[Symbol.asyncDispose]();
  process.exit();
});
