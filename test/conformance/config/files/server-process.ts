import { config } from '../../../../src/protocols/config/kind.ts';
import { engineNames } from '../../../support/engines.ts';
import { startServer } from '../../../support/server.ts';

// A server in a process of its own, so that its memory is its own: tells its port, then how much it has at every message.
const engine = engineNames.find((name) => name === process.argv[2]) ?? 'sqlite';
const server = await startServer({ engine, kinds: [config] });
process.send?.({ port: server.port });
process.on('message', () => process.send?.({ kilobytes: process.resourceUsage().maxRSS }));
process.on('disconnect', async () => {
  await server[Symbol.asyncDispose]();
  process.exit();
});
