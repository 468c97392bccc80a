import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, test } from 'node:test';
import { config } from '../../src/protocols/config/kind.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { forEachEngine } from '../support/engines.ts';
import { isLongRun } from '../support/long-run.ts';
import { startServer } from '../support/server.ts';
import { axeViolations, visitor } from './browser.ts';
import { launchBrowser, noBrowser } from './chromium.ts';
import { addConfiguration, addJobs, addSearch, asSa } from './sample-data.ts';
import { shown } from './shown-pages.ts';

const skip = isLongRun ? (noBrowser ?? false) : 'GRANARY_TEST_LONG is not set';
/** A folder for a picture of every page, for who wants to look. */
const pictures = process.env['GRANARY_TEST_LOOKS'];

const screens = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 } },
} as const;

const kinds = [translation, config, searchAdmin, searchCrawl, searchProperty];

/** Those, and the pages that are about the server itself. */
const pages = {
  ...shown,
  '/overview': 'Calls',
  '/wire': 'Procedure',
  '/sessions': 'sa',
  '/sessions/logins': 'sa',
  '/query': 'Run',
};

const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('how every page looks', { skip }, () => {
  forEachEngine((engine) => {
    for (const [screen, { viewport }] of Object.entries(screens)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        test(`on a ${screen}, ${colorScheme}: nothing is cut off, and axe-core finds nothing wrong`, async () => {
          await using server = await startServer({ engine, kinds, settings: { httpPort: 0 } });
          await using client = asSa(server, translation.firstDatabase);
          await addJobs(client);
          await addConfiguration(client.database(config.firstDatabase));
          await addSearch(server);
          await using browser = await launchBrowser();
          await using sa = await visitor(browser, server, { viewport, colorScheme });
          const { page } = sa;
          const folder = pictures && join(pictures, `${engine}-${screen}-${colorScheme}`);
          if (folder) await mkdir(folder, { recursive: true });
          for (const [at, [path, text]] of Object.entries(pages).entries()) {
            await sa.visit(path);
            await page.getByText(text).filter({ visible: true }).first().waitFor();
            assert.deepEqual([path, ...(await axeViolations(page))], [path]);
            assert.deepEqual([path, await page.evaluate(isWide)], [path, false]);
            if (folder) await page.screenshot({ path: join(folder, `${at}.png`), fullPage: true });
          }
          await sa.checkCalm();
        });
      }
    }
  });
});
