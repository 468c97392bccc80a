import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { type RunningServer, serve, temporaryFolder } from '../cli/granary.ts';
import { longPackages } from '../clients/packages.ts';
import { missing } from '../clients/run.ts';
import { connect, Ledger, Load, password, twin } from '../faults/load.ts';
import { until } from '../robustness/support/until.ts';
import { isLongRun } from '../support/long-run.ts';
import { type Member, PatroniCluster } from './support/patroni.ts';

/** Numbers on which drivers try again. */
const tryAgain = [40613, 40197, 1205];
const skip = isLongRun ? (missing(longPackages.patroni) ?? false) : 'it takes minutes: npm run test:long';

describe('a PostgreSQL that Patroni minds, under load', { skip }, () => {
  let cluster: PatroniCluster;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  const ledger = new Ledger();

  before(async () => {
    cluster = await PatroniCluster.start();
    folder = await temporaryFolder();
    const environment = { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: cluster.url };
    server = await serve(['--data', folder.path, '--log-level', 'error'], { environment });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** Lets the leader change and come back under load, and looks at what clients saw. */
  async function leaderChanges(
    context: TestContext,
    change: (leader: Member) => Promise<void>,
    comeBack: (leader: Member) => void = () => {},
  ): Promise<void> {
    await cluster.isWhole();
    const leader = await cluster.leader();
    assert.ok(leader);
    ledger.errors.clear();
    const load = new Load(server.port, ledger, 8);
    await until('calls are acknowledged', () => load.count > 100);
    const gone = performance.now();
    await change(leader);
    const next = cluster.other(leader);
    await until('the other leads', async () => (await cluster.leader()) === next, 90_000);
    const there = performance.now();
    const before = load.count;
    await until('calls go on', () => load.count > before + 8);
    const waited = performance.now() - there;
    comeBack(leader);
    await cluster.isWhole();
    const whole = load.count;
    await until('calls go on beside the one that came back', () => load.count > whole + 100);
    await load.stop();
    context.diagnostic(
      `no leader for ${Math.round(there - gone)} ms, calls ${Math.round(waited)} ms after there was one; ` +
        `${ledger.acknowledged.size} acknowledged, errors ${JSON.stringify([...ledger.errors])}`,
    );
    assert.ok(waited < 10_000, `calls went on after ${Math.round(waited)} ms`);
    await nothingIsLost();
    for (const number of ledger.errors.keys())
      assert.ok(tryAgain.includes(number), `error ${number}: ${server.output().stderr}`);
  }

  async function nothingIsLost(): Promise<void> {
    await using client = await connect(server.port);
    const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
    const found = new Set(sets.ResultSet0.map(({ JobId }) => JobId));
    const lost = [...ledger.acknowledged].filter((id) => !found.has(id));
    const halves = [...found].filter((id) => id > twin && !found.has(id - twin));
    assert.deepEqual({ lost, halves }, { lost: [], halves: [] });
  }

  test('the leader’s machine is lost: nothing acknowledged is, and calls go on within 10 s after there is a leader', (context) =>
    leaderChanges(
      context,
      async (leader) => leader.kill(),
      (leader) => leader.start(),
    ));

  test('the lead is handed over: nothing acknowledged is lost, and calls go on within 10 s', (context) =>
    leaderChanges(context, (leader) => leader.handOver(cluster.other(leader))));

  test('the leader’s machine stands still and comes back: what it says then is not believed', (context) =>
    leaderChanges(
      context,
      async (leader) => leader.freeze(),
      (leader) => leader.thaw(),
    ));
});
