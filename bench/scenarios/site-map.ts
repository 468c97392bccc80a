import { config } from '../../src/protocols/config/kind.ts';
import { getSiteBestMatch } from '../../src/protocols/config/site-map/get-site-best-match.ts';
import { getSiteSubset } from '../../src/protocols/config/site-map/get-site-subset.ts';
import { callUnread } from '../support/calls.ts';
import { compareSizes } from '../support/compare-sizes.ts';
import { fillSites, pathOf, someApplication } from '../support/fill/sites.ts';
import { pick } from '../support/load.ts';
import type { Scenario } from '../support/scenario.ts';
import { startSized } from '../support/sized-server.ts';

const sizes = { small: 10_000, large: 1_000_000 };
type Size = keyof typeof sizes;
const rounds = 600;
const pageSize = 50;

export const siteMap: Scenario = {
  name: 'site-map',
  summary: 'The best match of a path and a page of 50 sites, among 1,000,000 sites and among 10,000.',
  isLarge: true,
  async run(bench) {
    await using server = await startSized(bench, sizes, { kind: config.name, what: 'sites', fill: fillSites });
    const calls = async (name: Size) => {
      const connection = await server.open(name);
      const bestMatch = (BestMatchOffsetScope: number) =>
        callUnread(connection, getSiteBestMatch, {
          PathSearch: pathOf(pick(sizes[name])).slice(0, -1),
          BestMatchOffsetScope,
          CollectionType: 0,
        });
      const page = (ApplicationId: string | null, sites: number) =>
        callUnread(connection, getSiteSubset, {
          ApplicationId,
          PageSize: pageSize,
          StartRow: pick(sites - pageSize),
          SortDirection: 'ASC',
          CollectionType: 0,
        });
      return {
        inFarm: () => bestMatch(0),
        inDatabase: () => bestMatch(2),
        pageOfFarm: () => page(null, sizes[name]),
        pageOfApplication: () => page(someApplication(pick(4)), sizes[name] / 4),
      };
    };
    const [small, large] = [await calls('small'), await calls('large')];
    return await compareSizes(
      [
        { what: 'best match, counted in the farm', small: small.inFarm, large: large.inFarm },
        { what: 'best match, counted in its database', small: small.inDatabase, large: large.inDatabase },
        { what: 'a page of the farm', small: small.pageOfFarm, large: large.pageOfFarm },
        { what: 'a page of a Web application', small: small.pageOfApplication, large: large.pageOfApplication },
      ],
      rounds,
      1.5,
    );
  },
};
