import type { Page } from 'playwright-core';

/** What a browser needed for the first view. */
export interface FirstView {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly files: number;
}

/** Headers of an answer, about: what the browser does not count. */
const headers = 300;

/** Opens the console in a page whose browser has nothing of it but the cookie, and waits until the overview is all there, its plots too. */
export async function firstView(page: Page, at: string): Promise<FirstView> {
  await page.goto(`${at}/console/overview`);
  await page.getByText('Last refused calls').first().waitFor();
  await page.locator('canvas').first().waitFor();
  const shown: FirstView = await page.evaluate(`({
    milliseconds: Math.round(performance.now()),
    files: performance.getEntriesByType('resource').length,
    bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize + ${headers}, 0),
  })`);
  // Streams are not counted as long as they are open: what they bring first is what the routes answer.
  const answers = await Promise.all(
    ['overview', 'figures'].map(async (name) => (await (await page.request.get(`${at}/api/v1/${name}`)).body()).length),
  );
  return { ...shown, bytes: answers.reduce((sum, length) => sum + length, shown.bytes) };
}
