import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server for a moment. */
export async function web(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
