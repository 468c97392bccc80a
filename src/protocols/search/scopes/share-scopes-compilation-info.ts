import type { Db } from '../../../engine/db.ts';
import type { Call } from '../../../procedure/call.ts';
import { type HandlerInput, procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { componentType } from '../status-changes/component-type.ts';
import { complete } from './compilation/complete.ts';
import { noteCompiled } from './compilation/next-time.ts';
import { progress } from './compilation/progress.ts';
import { report } from './compilation/report.ts';
import { start } from './compilation/start.ts';
import { isCompiling, type ScopesSystem, scopesSystem } from './scopes-system.ts';

const params = {
  ComponentRole: nullable(int, 'What the component is: 0 administration, 1 query, 2 crawl, 3 standalone.'),
  ComponentID: nullable(int, 'Its number.'),
  CompletedCompilationID: nullable(int, 'The last compilation that it has completed.'),
  RequestedCompilationID: output(int, 'Set to the compilation that it is to carry out, if it has not yet.'),
};
type Input = HandlerInput<typeof params>;

export const shareScopesCompilationInfo = procedure({
  name: 'proc_MSS_ShareScopesCompilationInfo',
  aliases: ['proc_MSS_ShareScopeCompilationInfo'],
  section: 'MS-SQLPGAT2 3.1.5.81',
  summary: 'Accepts a component’s report on a scope compilation, starts or ends the common one, and requests it.',
  // Alone among the writers: two polls at the same time would start one compilation twice.
  access: 'serial',
  params,
  outcomes: { done: { code: 0, meaning: 'The compilation to carry out is in @RequestedCompilationID.' } },
  async handle(call, input) {
    const { db } = call;
    await report(db, input.ComponentRole, input.ComponentID, input.CompletedCompilationID);
    await begin(call, await scopesSystem(db));
    const system = await scopesSystem(db);
    if (await isCarriedOut(db, system, input)) await complete(db, system, call.now);
    return { outcome: 'done', output: { RequestedCompilationID: await requested(db, input) } };
  },
});

/**
 * Starts a compilation when there is something to compile and it is time; with nothing to compile the time moves on.
 */
async function begin({ db, now }: Call, system: ScopesSystem): Promise<void> {
  if (isCompiling(system)) return;
  const { lastChangeId, lastCompilationId, nextCompilationTime } = system;
  if (lastChangeId <= lastCompilationId) await noteCompiled(db, now);
  else if (nextCompilationTime === null || now > nextCompilationTime) await start(db, system);
}

/** Whether the compilation in progress is done: by the standalone component, or by all others that are ready. */
async function isCarriedOut(db: Db, system: ScopesSystem, input: Input): Promise<boolean> {
  if (!isCompiling(system)) return false;
  const { compilationChangeId } = system;
  if (input.ComponentRole === componentType.standalone) {
    return (input.CompletedCompilationID ?? 0) >= compilationChangeId;
  }
  const { ready, crawlLagging, queryLagging } = await progress(db, compilationChangeId);
  return ready > 0 && crawlLagging + queryLagging === 0;
}

/** Query components are asked when all crawl components that are ready have compiled. */
async function requested(db: Db, { ComponentRole }: Input): Promise<number> {
  const system = await scopesSystem(db);
  if (!isCompiling(system)) return system.lastCompilationId;
  const { crawlLagging } = await progress(db, system.compilationChangeId);
  const waits = crawlLagging > 0 && ComponentRole === componentType.query;
  return waits ? system.lastCompilationId : system.compilationChangeId;
}
