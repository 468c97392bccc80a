import { SiteServer } from '../../test/workers/crawl/site/site-server.ts';

/** The generated site as a process of its own: `site-process.ts PAGES`; tells its start addresses and its pages. */
const { site } = await SiteServer.start({ pages: Number(process.argv[2]) });
process.stdout.write(`${JSON.stringify({ startAddresses: site.startAddresses, found: site.found().size })}\n`);
