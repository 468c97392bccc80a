import type { Database } from '../../../../src/engine/db.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { checkIfStatusChangeComplete } from '../../../../src/protocols/search/status-changes/check-if-status-change-complete.ts';
import { completeStatusChange } from '../../../../src/protocols/search/status-changes/complete-status-change.ts';
import { getStatusChangeRequest } from '../../../../src/protocols/search/status-changes/get-status-change-request.ts';
import { setStatusChangeRequest } from '../../../../src/protocols/search/status-changes/set-status-change-request.ts';
import type { TestClient } from '../../../support/client.ts';

export const application = '6e8ac2b1-0000-0000-0000-000000000001';
export const portal = 'Portal_Content';
export const anchor = 'AnchorProject';
export const [administration, query, crawl, standalone] = [0, 1, 2, 3];
export const [masterMerge, crawls] = [1, 2];

const suffixes = ['', '-query', '-crawl', ''];

/** The name of a component (3.1.1.39). */
export const nameOf = (type: number, number = 0): string =>
  type === administration || type === standalone ? application : `${application}${suffixes[type]}-${number}`;

/** Makes a record of the Component Activity set, as a component does when it starts. */
export const addComponent = (database: Database, type: number, number = 0, project = portal): Promise<number> =>
  database.write((db) =>
    db.run(sql`
      insert into component_activity (component_name_key, project_name_key, component_name, project_name,
        component_type, component_id)
      values (${nameOf(type, number).toLowerCase()}, ${project.toLowerCase()}, ${nameOf(type, number)}, ${project},
        ${type}, ${number})`),
  );

/** Makes crawl components in a state, with the one crawl store that they need. */
export const addCrawlComponents = (database: Database, states: readonly number[]): Promise<void> =>
  database.write(async (db) => {
    await db.run(sql`insert into crawl_stores (ordinal, id, name) values (0, 'id', 'store') on conflict do nothing`);
    for (const [number, state] of states.entries()) {
      await db.run(sql`
        insert into crawl_components (number, crawl_store, state, desired_state) values (${number}, 0, ${state}, 1)`);
    }
  });

/** Registers a request and returns whether it was. */
export const ask = async (client: TestClient, reset: number, pause: number, level: number | null, reason: number) => {
  const { status, sets } = await client.call(setStatusChangeRequest, {
    HaveResetRequest: reset,
    HavePauseRequest: pause,
    Level: level,
    Reason: reason,
  });
  if (sets.length > 0) throw new Error('a result set came');
  return status;
};
export const askForReset = (client: TestClient) => ask(client, 1, 0, 0, 0);
export const askForPause = (client: TestClient, level: number, reason: number) => ask(client, 0, 1, level, reason);
export const askForResume = (client: TestClient, level: number, left = 0) => ask(client, 0, 0, level, left);

/** What a component is told: the return code, reset, pause and level. */
export const told = async (client: TestClient, component: string, project = portal, isAdmin = false) => {
  const { status, output, sets } = await client.call(getStatusChangeRequest, {
    ComponentName: component,
    ProjectName: project,
    IsAdmin: isAdmin,
  });
  if (sets.length > 0) throw new Error('a result set came');
  return [status, output['HaveResetRequest'], output['HavePauseRequest'], output['PauseLevel']];
};

export const complete = async (
  client: TestClient,
  component: string | null,
  project: string | null = portal,
  remove = 0,
) =>
  (await client.call(completeStatusChange, { ComponentName: component, ProjectName: project, RemoveRecord: remove }))
    .status;

/** Whether all have finished: the reset, the pause or the resume of a level. */
export const isDone = async (
  client: TestClient,
  what: 'reset' | 'pause' | 'resume' | 'nothing',
  level: number | null = 0,
  reason = 0,
) =>
  (
    await client.call(checkIfStatusChangeComplete, {
      CheckIfResetDone: what === 'reset' ? 1 : 0,
      CheckIfPauseDone: what === 'pause' ? 1 : 0,
      CheckIfResumeDone: what === 'resume' ? 1 : 0,
      Level: level,
      Reason: reason,
    })
  ).status === 1;

/** The Component Activity set, as clients read it. */
export const activity = async (client: TestClient) =>
  (
    await client.batch(`
      select ComponentName, ProjectName, HaveResetRequest, DPR_MasterMerge, CPR_MasterMerge, DPR_Crawls, CPR_Crawls
      from ComponentActivity order by ComponentName, ProjectName`)
  ).sets[0]?.map((row) => Object.values(row));
