import { getSiteSubset } from '../../protocols/config/site-map/get-site-subset.ts';
import { getProductVersions } from '../../protocols/config/versions/get-product-versions.ts';
import { bigint, uniqueidentifier } from '../../tds/types/index.ts';
import { type Answering, answer } from '../answer.ts';
import {
  configurationDatabases,
  downloadFile,
  listChanges,
  listFiles,
  listObjects,
  listProducts,
  listSiteContainers,
  listSites,
  listTimerHistory,
  listTimerJobs,
  showObject,
  showVersion,
} from '../api/configuration.ts';
import { fileOf, filesAfter } from './configuration/files.ts';
import { changesBefore, objectOf, objectPage, objectsLike, toldObjects, versionOf } from './configuration/objects.ts';
import { namesOf, runPage, timerHistory, timerJobs } from './configuration/timer-jobs.ts';
import { databasesOf } from './databases.ts';
import { bigintOf, guidOf, pageOf } from './values.ts';

const kinds = ['config'] as const;
const filePage = 200;
const sitePage = 100;

/** Objects, files, timer jobs, sites and products of a farm. */
export const configurationRoutes: readonly Answering[] = [
  answer(configurationDatabases, async ({ client, signal }) => ({
    databases: (await databasesOf(client('master'), kinds, signal)).map(({ name }) => ({ name })),
  })),
  answer(listObjects, async ({ params, query, client, signal }) => {
    const own = client(params.database);
    const { parent, search, afterName, afterId } = query;
    const rows = await objectsLike(
      own,
      {
        parent: parent === undefined ? undefined : guidOf(parent, 'parent'),
        search: search === '' ? undefined : search,
        after:
          afterName === undefined || afterId === undefined
            ? undefined
            : { name: afterName, id: guidOf(afterId, 'afterId') },
      },
      signal,
    );
    const { page, more } = pageOf(rows, objectPage);
    return { objects: await toldObjects(own, page, signal), more };
  }),
  answer(showObject, async ({ params, client, signal }) =>
    objectOf(client(params.database), guidOf(params.object, 'object'), signal),
  ),
  answer(showVersion, async ({ params, client, signal }) =>
    versionOf(client(params.database), guidOf(params.object, 'object'), bigintOf(params.version, 'version'), signal),
  ),
  answer(listChanges, async ({ params, query, client, signal }) => {
    const before = query.before === undefined ? undefined : bigintOf(query.before, 'before');
    const { page, more } = pageOf(await changesBefore(client(params.database), before, signal), objectPage);
    return { changes: page, next: more ? (page.at(-1)?.version ?? null) : null };
  }),
  answer(listFiles, async ({ params, query, client, signal }) => {
    const after = query.after === undefined ? undefined : guidOf(query.after, 'after');
    const { page, more } = pageOf(await filesAfter(client(params.database), after, filePage + 1, signal), filePage);
    const files = page.map(({ ObjectId, Name, Length }) => ({ id: ObjectId, name: Name, length: Number(Length) }));
    return { files, next: more ? (files.at(-1)?.id ?? null) : null };
  }),
  answer(downloadFile, async ({ params, client, signal }) => ({
    ...(await fileOf(client(params.database), guidOf(params.object, 'object'), signal)),
    type: 'application/octet-stream',
  })),
  answer(listTimerJobs, async ({ params, client, signal, server }) =>
    timerJobs(client(params.database), server.clock.now(), signal),
  ),
  answer(listTimerHistory, async ({ params, query, client, signal }) => {
    const job = query.job === undefined ? undefined : guidOf(query.job, 'job');
    const before = query.before === undefined ? undefined : bigintOf(query.before, 'before');
    const { page, more } = pageOf(await timerHistory(client(params.database), job, before, signal), runPage);
    return { runs: page, next: more ? (page.at(-1)?.id ?? null) : null };
  }),
  answer(listSiteContainers, async ({ params, client, signal }) => {
    const own = client(params.database);
    const rows = await own.select(
      { ApplicationId: uniqueidentifier, DatabaseId: uniqueidentifier, Sites: bigint },
      'select ApplicationId, DatabaseId, Sites from SiteContainers order by ApplicationId, DatabaseId',
      {},
      { signal, idempotent: true },
    );
    const nameOf = await namesOf(
      own,
      rows.flatMap(({ ApplicationId, DatabaseId }) => [ApplicationId, DatabaseId]),
      signal,
    );
    return {
      containers: rows.map(({ ApplicationId, DatabaseId, Sites }) => ({
        application: nameOf(ApplicationId),
        database: nameOf(DatabaseId),
        sites: Number(Sites),
      })),
    };
  }),
  answer(listSites, async ({ params, query, client, signal }) => {
    const { sets } = await client(params.database).call(
      getSiteSubset,
      {
        DatabaseId: guidOf(params.content, 'content'),
        ApplicationId: guidOf(params.application, 'application'),
        PageSize: sitePage + 1,
        StartRow: query.first ?? 0,
        SortDirection: 'ASC',
        CollectionType: 0,
      },
      { signal },
    );
    const { page, more } = pageOf(sets.sites, sitePage);
    return { sites: page.map(({ Id, Path }) => ({ id: Id, path: Path })), more };
  }),
  answer(listProducts, async ({ params, client, signal }) => {
    const own = client(params.database);
    const { sets } = await own.call(getProductVersions, {}, { signal });
    const rows = sets.GetProductVersions;
    const nameOf = await namesOf(
      own,
      rows.map(({ ServerId }) => ServerId),
      signal,
    );
    return {
      products: rows.map((row) => ({
        server: nameOf(row.ServerId),
        product: row.Product,
        version: row.Version,
        unit: row.PatchableUnitName ?? row.PatchableUnit,
        patch: row.PatchName,
        url: row.PatchUrl,
      })),
    };
  }),
];
