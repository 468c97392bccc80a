import { setTimeout as delay } from 'node:timers/promises';
import { onOneLine } from '../../base/text/without-orders.ts';
import { getItemStates } from '../../protocols/jobs/claims/get-item-states.ts';
import { failureText } from '../../protocols/jobs/failure-text.ts';
import { wordClaims } from '../../protocols/word/claims.ts';
import type { World } from '../command.ts';
import { OperatorError } from '../errors.ts';
import { ProgressBar } from '../progress.ts';
import { type PlacedJob, statusOf } from './databases.ts';

/** Milliseconds between two checks of a job: few at first, then more. */
const firstLook = 20;
const longestLook = 250;
/** Milliseconds without progress after which the reason is shown. */
const patience = 3_000;

/** How a job ended. */
export interface Ended {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: readonly { readonly input: string; readonly error: string }[];
  readonly canceled: number;
}

/** Shows how a job goes until all of its items are done. */
export async function watchJob(job: PlacedJob, world: World): Promise<Ended> {
  const ending = world.ending();
  using bar = new ProgressBar(world.stderr);
  const isTerminal = 'isTTY' in world.stderr && world.stderr.isTTY === true;
  let last = { done: -1, at: performance.now(), isExplained: false };
  for (let pause = firstLook; ; pause = Math.min(longestLook, pause * 2)) {
    const status = await statusOf(job);
    if (status === undefined) throw new OperatorError(`Job ${job.JobId} was deleted.`);
    const { Total, Succeeded, Failed, Canceled } = status;
    const done = Succeeded + Failed;
    if (done !== last.done) {
      last = { done, at: performance.now(), isExplained: false };
      if (!isTerminal && done > 0) world.stderr.write(`${progressText(done, Total, Failed)}\n`);
    } else if (!last.isExplained && performance.now() - last.at > patience) {
      last.isExplained = true;
      await explain(job, world, isTerminal);
    }
    bar.show(progressText(done, Total, Failed), Total === 0 ? 1 : done / Total);
    if (done + Canceled >= Total)
      return { total: Total, succeeded: Succeeded, failed: await failures(job, Failed), canceled: Canceled };
    await delay(pause, undefined, { signal: ending }).catch(() => {});
    if (ending.aborted) {
      throw new OperatorError(
        `Job ${job.JobId} continues in the background. To see it: granary job show ${job.JobId}.`,
      );
    }
  }
}

const progressText = (done: number, total: number, failed: number): string =>
  `${done} of ${total} documents${failed > 0 ? `, ${failed} failed` : ''}`;

/** Says why the first item waits. */
async function explain({ client, JobId }: PlacedJob, { stderr }: World, isTerminal: boolean): Promise<void> {
  const { sets } = await client.call(wordClaims.whyItemsWait, { JobId, Most: 1 });
  const [item] = sets.Items;
  if (item !== undefined)
    stderr.write(`${isTerminal ? '\r\u001b[K' : ''}${onOneLine(`${item.InputFile}: ${item.Reason}`)}\n`);
}

async function failures({ client, JobId }: PlacedJob, count: number): Promise<Ended['failed']> {
  if (count === 0) return [];
  const { sets } = await client.call(getItemStates, { JobId, FailedOnly: true });
  return sets.Items.map(({ InputFile, ErrorCode, Message }) => ({
    input: InputFile,
    error: failureText(ErrorCode, Message),
  }));
}
