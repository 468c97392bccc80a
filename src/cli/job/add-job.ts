import { userInfo } from 'node:os';
import { SqlError } from '../../base/messages/sql-error.ts';
import type { Client } from '../../client/client.ts';
import { addGroup as addTranslations } from '../../protocols/translation/add-group.ts';
import { addJob as addTranslation } from '../../protocols/translation/add-job.ts';
import { submitJob as submitTranslation } from '../../protocols/translation/submit-job.ts';
import { addGroup as addConversions } from '../../protocols/word/add-group.ts';
import { addJob as addConversion } from '../../protocols/word/add-job.ts';
import { submitJob as submitConversion } from '../../protocols/word/submit-job.ts';
import { OperatorError } from '../errors.ts';
import type { DocumentGroup } from './documents.ts';

/** A job as a command line asks for it. */
export interface NewJob {
  readonly isTranslation: boolean;
  readonly settings: string;
  readonly name: string;
  readonly partition: string | null;
  readonly attempts: number;
  readonly mostPerDay: number | null;
  readonly groups: readonly DocumentGroup[];
}

const namespaces = {
  translation: 'http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd',
  conversion: 'http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd',
};

/** JobIds that are tried before it is given up. */
const mostTries = 20;

/** Adds a job with its groups, submits it, and returns its number: the time in milliseconds, or the next free one. */
export async function addJob(client: Client, job: NewJob): Promise<bigint> {
  const JobId = await addNumbered(client, job);
  for (const [at, group] of job.groups.entries()) {
    const input = {
      JobId,
      GroupId: at + 1,
      InputRoot: group.inputRoot,
      OutputRoot: group.outputRoot,
      MaxAttemptsCount: job.attempts,
      JobXml: jobXml(job, group),
    };
    await (job.isTranslation ? client.call(addTranslations, input) : client.call(addConversions, input));
  }
  await client.call(job.isTranslation ? submitTranslation : submitConversion, { JobId });
  return JobId;
}

async function addNumbered(client: Client, job: NewJob): Promise<bigint> {
  const first = BigInt(Date.now());
  for (let JobId = first; ; JobId += 1n) {
    try {
      await add(client, JobId, job);
      return JobId;
    } catch (error) {
      const isTaken = error instanceof SqlError && error.number === 2627;
      if (!isTaken || JobId - first >= mostTries) throw error;
    }
  }
}

async function add(client: Client, JobId: bigint, job: NewJob): Promise<void> {
  const { settings: Settings, name: Name, partition: PartitionId } = job;
  if (!job.isTranslation) {
    await client.call(addConversion, { JobId, PartitionId, Settings, Name });
    return;
  }
  const ItemCount = job.groups.reduce((sum, { documents }) => sum + documents.length, 0);
  const { outcome } = await client.call(addTranslation, {
    JobId,
    UserId: userInfo().username,
    UserToken: new Uint8Array(0),
    PartitionId,
    Settings,
    Name,
    ItemCount,
    MaxItemsPerDay: job.mostPerDay,
  });
  if (outcome === 'limitExceeded') {
    throw new OperatorError(`The daily limit refused the job. granary job why ${JobId} says until when.`);
  }
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<"]/g, (character) => escapes[character] ?? character);

function jobXml({ isTranslation }: NewJob, { documents }: DocumentGroup): string {
  const items = documents.map(
    ({ input, output }, at) => `<item id="${at + 1}" in="${escaped(input)}" out="${escaped(output)}"/>`,
  );
  const namespace = isTranslation ? namespaces.translation : namespaces.conversion;
  return `<group xmlns="${namespace}">${items.join('')}</group>`;
}
