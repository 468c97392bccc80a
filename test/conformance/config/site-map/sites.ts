import type { CallInput } from '../../../../src/procedure/declare.ts';
import { getSiteBestMatch } from '../../../../src/protocols/config/site-map/get-site-best-match.ts';
import { getSiteCount } from '../../../../src/protocols/config/site-map/get-site-count.ts';
import { getSiteSubset } from '../../../../src/protocols/config/site-map/get-site-subset.ts';
import { hideSiteMap } from '../../../../src/protocols/config/site-map/hide-site-map.ts';
import { putDeletedSiteMap } from '../../../../src/protocols/config/site-map/put-deleted-site-map.ts';
import { putSiteMap } from '../../../../src/protocols/config/site-map/put-site-map.ts';
import { siteExists } from '../../../../src/protocols/config/site-map/site-exists.ts';
import { unhideSiteMap } from '../../../../src/protocols/config/site-map/unhide-site-map.ts';
import type { TestClient } from '../../../support/client.ts';
import { guid } from '../farm.ts';
import { given, told } from '../told.ts';

export const application = (number: number) => guid('a0', number);
export const database = (number: number) => guid('d0', number);
export const site = (number: number) => guid('50', number);
export const subscription = (number: number) => guid('70', number);

type PutInput = CallInput<(typeof putSiteMap)['params']>;

/** What a reference has unless a test says otherwise. */
export const usual = {
  ApplicationId: application(1),
  DatabaseId: database(1),
  SubscriptionId: null,
  Pairing: 0,
  RedirectUrl: null,
  HostHeaderIsSiteName: false,
};

/** Stores a reference: the code, the result set if one came, and @CurrentDatabaseSiteCount, which goes in as 77. */
export async function put(client: TestClient, number: number, Path: string | null, more: Partial<PutInput> = {}) {
  const answer = await client.call(putSiteMap, {
    ...usual,
    SiteId: site(number),
    Path,
    CurrentDatabaseSiteCount: 77,
    ...more,
  });
  return [...told(answer), given(answer, 'CurrentDatabaseSiteCount')];
}

/** Stores a reference and fails unless it was stored. */
export async function stored(client: TestClient, number: number, path: string, more: Partial<PutInput> = {}) {
  const answer = await put(client, number, path, more);
  if (answer.length !== 3) throw new Error(`proc_putSiteMap stored nothing for ${path}`);
}

/** What a refused proc_putSiteMap answers. */
export const refused = [0, 77];

type PutDeletedInput = CallInput<(typeof putDeletedSiteMap)['params']>;

/** Stores a reference that is marked for deletion, and returns the code. */
export async function putDeleted(
  client: TestClient,
  number: number,
  Path: string | null,
  more: Partial<PutDeletedInput> = {},
) {
  const DeletionTime = new Date('2024-01-10T00:00:00Z');
  return told(await client.call(putDeletedSiteMap, { ...usual, SiteId: site(number), Path, DeletionTime, ...more }));
}

export const hide = async (client: TestClient, number: number, DatabaseId: string | null = database(1)) =>
  told(await client.call(hideSiteMap, { Id: site(number), DatabaseId }));
export const unhide = async (client: TestClient, number: number, DatabaseId: string | null = database(1)) =>
  told(await client.call(unhideSiteMap, { Id: site(number), DatabaseId }));

/** 1 when there is a live reference, else 0. */
export const exists = async (client: TestClient, number: number) =>
  (await client.call(siteExists, { SiteId: site(number) })).status;

export const count = async (client: TestClient, DatabaseId?: string | null) =>
  told(await client.call(getSiteCount, DatabaseId === undefined ? {} : { DatabaseId }));

type SubsetInput = CallInput<(typeof getSiteSubset)['params']>;

/** The identifiers and paths of a page; by default the first hundred. */
export async function page(client: TestClient, more: Partial<SubsetInput> = {}): Promise<unknown[][]> {
  const all = { PageSize: 100, StartRow: 0, SortDirection: 'ASC', CollectionType: 0 };
  const [code, rows] = told(await client.call(getSiteSubset, { ...all, ...more }));
  if (code !== 0 || rows === undefined) throw new Error(`proc_getSiteSubset returned ${code}`);
  return rows as unknown[][];
}

type MatchInput = CallInput<(typeof getSiteBestMatch)['params']>;

/** The best match: its site, content database and Web application, and its offset. */
export async function bestMatch(client: TestClient, PathSearch: string | null, more: Partial<MatchInput> = {}) {
  const answer = await client.call(getSiteBestMatch, {
    PathSearch,
    CollectionType: 0,
    // What comes in must play no part in what goes out.
    BestMatchSiteId: guid('ee', 1),
    BestMatchDatabaseId: guid('ee', 2),
    BestMatchApplicationId: guid('ee', 3),
    BestMatchOffset: 99,
    ...more,
  });
  const [code, ...sets] = told(answer);
  if (code !== 0 || sets.length > 0) throw new Error(`proc_getSiteBestMatch returned ${code}`);
  return ['BestMatchSiteId', 'BestMatchDatabaseId', 'BestMatchApplicationId', 'BestMatchOffset'].map((name) =>
    given(answer, name),
  );
}

/** What a best match answers when nothing matches. */
export const noMatch = [null, null, null, 0];
