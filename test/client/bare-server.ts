import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A server on a free port that does with each connection what a test says; disposed, it cuts those that are open. */
export async function bareServer(onConnection: (socket: Socket) => void) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    open,
    options: {
      host: '127.0.0.1',
      port: typeof address === 'object' && address !== null ? address.port : 0,
      user: 'sa',
      password: '',
      database: 'master',
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
