import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser, noBrowser } from '../../test/console/chromium.ts';
import { type FirstView, firstView } from '../../test/console/first-view.ts';
import { roundsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median } from '../support/statistics.ts';

const rounds = roundsOf(5);

export const firstViewShown: Scenario = {
  name: 'first-view',
  summary:
    'Chromium with an empty cache opens the console of somebody who has logged in, until the overview is all there.',
  async run({ engine, profiles, progress }) {
    if (noBrowser !== undefined) {
      progress(noBrowser);
      return [];
    }
    await using server = await BenchServer.start({ engine, profiles });
    const { url } = JSON.parse(await readFile(join(server.data, 'http.json'), 'utf8'));
    const { password = '' } = server.address('master');
    await using browser = await launchBrowser();
    const views: FirstView[] = [];
    // The first one waits for a server that has never been looked at.
    for (let round = 0; round <= rounds; round++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      await context.request.post(`${url}/api/v1/session`, { data: { login: 'sa', password } });
      const view = await firstView(await context.newPage(), url);
      await context.close();
      progress(`${view.bytes} bytes in ${view.files} files, shown after ${view.milliseconds} ms`);
      if (round > 0) views.push(view);
    }
    const milliseconds = median(views.map((view) => view.milliseconds));
    const megabytes = Math.max(...views.map(({ bytes }) => bytes)) / 1e6;
    return [
      {
        what: 'the first view of the console, all there',
        figure: `${milliseconds} ms`,
        against: '1000 ms',
        value: milliseconds,
        unit: 'ms',
        demand: { atMost: 1000 },
      },
      {
        what: 'what it brings to the browser',
        figure: `${Math.round(megabytes * 1000)} kB`,
        against: '200 kB',
        value: megabytes,
        unit: 'MB',
        demand: { atMost: 0.2 },
      },
    ];
  },
};
