import http from 'node:http';
import process from 'node:process';

/**
 * Ten consoles as browsers have them open: each logs in, follows what its page shows, and asks now and then who it is. They
 * are open once each shows something.
 */
const [url = '', password = '', jobDatabase = ''] = process.argv.slice(2);

const jobs = `/api/v1/jobs/${jobDatabase}`;
const overview = ['/api/v1/overview', '/api/v1/figures'];
const pages: readonly (readonly string[])[] = [
  overview,
  overview,
  overview,
  ['/api/v1/wire/events'],
  ['/api/v1/wire/events'],
  ['/api/v1/sessions'],
  [jobs],
  [jobs],
  [`${jobs}/1`],
  [`${jobs}/1/groups/1/items`],
];

const askEvery = 5000;

interface Console {
  readonly streams: http.ClientRequest[];
  readonly timer: NodeJS.Timeout;
}

async function open(paths: readonly string[]): Promise<Console> {
  const entered = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'sa', password }),
  });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const shown: Promise<void>[] = [];
  const streams = paths.map((path) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    shown.push(promise);
    const request = http.get(`${url}${path}`, { headers: { cookie, accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
      // Whoever looks at calls sees something when some come; all others show something at once.
      if (path.includes('/wire/')) resolve();
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('data:')) resolve();
      });
      response.on('error', () => {}); // it is ended by this process
    });
    request.on('error', () => {});
    return request;
  });
  await Promise.all(shown);
  const ask = () => void fetch(`${url}/api/v1/session`, { headers: { cookie } }).then((answer) => answer.text());
  return { streams, timer: setInterval(ask, askEvery) };
}

let consoles: readonly Console[] = [];

process.on('message', async (word) => {
  for (const { streams, timer } of consoles) {
    clearInterval(timer);
    for (const stream of streams) stream.destroy();
  }
  consoles = word === 'open' ? await Promise.all(pages.map(open)) : [];
  process.send?.(word);
});
process.on('disconnect', () => process.exit(0));
