import assert from 'node:assert/strict';
import type { ManualClock } from '../../../src/base/clock.ts';
import type { AnyProcedure } from '../../../src/procedure/declare.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import { roundToDatetime } from '../../../src/tds/types/index.ts';
import type { SharedCommand, TranslationCommand, Word2Command, WordCommand } from './commands.ts';
import { batchUpdate, type Family, jobAdd } from './documents.ts';
import type { Host } from './hosts.ts';
import type { Expected, JobsModel } from './model.ts';
import { TranslationModel } from './translation-model.ts';
import { Word2Model, WordModel } from './word-model.ts';

/** A game of one protocol: each command is played on the server and on the model, and both must agree. */
export interface Game<Command> {
  readonly kind: Kind;
  readonly family: Family;
  model(now: Date): JobsModel;
  play(table: Table, command: Command): Promise<void>;
}

/** What a command is played on. */
export interface Table {
  readonly host: Host;
  readonly model: JobsModel;
  readonly clock: ManualClock;
  readonly kind: Kind;
  readonly family: Family;
  /** Runs upkeep until none is left, where the host lets a test do that. */
  upkeep?(): Promise<void>;
}

const folded = (name: string) => `proc_${name.charAt(0).toUpperCase()}${name.slice(1)}`;

async function agree(
  { host, kind }: Table,
  name: string,
  input: Readonly<Record<string, unknown>>,
  expected: Expected,
): Promise<void> {
  const procedure: AnyProcedure | undefined = kind.procedures.find((one) => one.name === folded(name));
  assert.ok(procedure, `${folded(name)} of ${kind.name}`);
  assert.deepEqual(await host.call(procedure, input), expected, name);
}

const at = (now: Date, offset: number | null) => (offset === null ? null : new Date(now.getTime() + offset));

async function playShared(table: Table, command: SharedCommand): Promise<void> {
  const { model, clock, family } = table;
  const { type, ...rest } = command;
  switch (command.type) {
    case 'addGroup': {
      const { JobId, GroupId, attempts, ids, outputs } = command;
      const isTranslation = model instanceof TranslationModel;
      const items = ids.map((ItemId) => ({
        ItemId,
        InputFile: `in <${ItemId}> & "ä%20".docx`,
        OutputFile: outputs || isTranslation ? `out\n${ItemId}.pdf` : null,
      }));
      const roots = {
        InputRoot: outputs || isTranslation ? 'http://contoso.com' : null,
        OutputRoot: outputs || isTranslation ? '' : null,
      };
      const input = { JobId, GroupId, ...roots, MaxAttemptsCount: attempts, JobXml: jobAdd(family, items) };
      return agree(table, type, input, model.addGroup({ JobId, GroupId }, roots, attempts, items));
    }
    case 'submitJob':
      return agree(table, type, rest, model.submitJob(command.JobId));
    case 'cancelJob':
      return agree(table, type, rest, model.cancelJob(command.JobId, command.PartitionId));
    case 'cancelAllActiveJobs':
      return agree(table, type, {}, model.cancelAllActiveJobs());
    case 'getConversionBatch': {
      const threshold = new Date(model.now.getTime() + command.threshold);
      const input = { NumberOfConversionsInBatch: command.count, InProgressThreshold: threshold };
      return agree(table, type, input, model.getConversionBatch(command.count, threshold));
    }
    case 'getGroups':
      return agree(table, type, rest, model.getGroups(command.JobId, command.PartitionId));
    case 'getItems': {
      const { JobId, GroupId, PartitionId, switches } = command;
      const input = { JobId, GroupId, PartitionId, ...switches };
      return agree(table, type, input, model.getItems({ JobId, GroupId }, PartitionId, switches));
    }
    case 'getJobStatus':
      return agree(table, type, rest, model.getJobStatus(command.JobId, command.PartitionId));
    case 'hasActiveJobs':
      return agree(table, type, {}, model.hasActiveJobs());
    case 'updateConversionBatch': {
      const { started, failed } = command;
      const input = { BatchXml: batchUpdate(family, started, failed) };
      return agree(table, type, input, model.updateConversionBatch(started, failed));
    }
    case 'updateFailedItem': {
      const { item, NoRetry, ErrorCode } = command;
      return agree(table, type, { ...item, NoRetry, ErrorCode }, model.updateFailedItem(item, NoRetry, ErrorCode));
    }
    case 'updateSucceededItem':
      return agree(table, type, command.item, model.updateSucceededItem(command.item));
    case 'advance':
      clock.advance(command.by);
      model.now = roundToDatetime(clock.now());
      return;
    case 'upkeep':
      return table.upkeep?.();
  }
}

const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'));

const noPartition = '00000000-0000-0000-0000-000000000000';

/** @Hour and @Date so many hours from the present. */
function hourAt(now: Date, offset: number) {
  const moment = new Date(now.getTime() + offset * 3_600_000);
  return { Hour: moment.getUTCHours(), Date: new Date(moment.toISOString().slice(0, 10)) };
}

async function playTranslation(table: Table, command: TranslationCommand): Promise<void> {
  const model = table.model as TranslationModel; // made by the same game
  switch (command.type) {
    case 'addJob': {
      const { type, ...given } = command;
      const job = { ...given, UserToken: '1234567890', Settings: '<settings/>', Name: `job ${given.JobId}` };
      return agree(table, type, { ...job, UserToken: bytes(job.UserToken) }, model.addJob(job));
    }
    case 'getConversionBatchInterleaved': {
      const threshold = new Date(model.now.getTime() + command.threshold);
      const input = { NumberOfConversionsInBatch: command.count, InProgressThreshold: threshold };
      return agree(table, command.type, input, model.getConversionBatchInterleaved(command.count, threshold));
    }
    case 'getJobs': {
      const { type, PartitionId, UserId, ActiveOnly, SubmittedOnly } = command;
      const expected = model.getJobs(PartitionId, UserId, ActiveOnly, SubmittedOnly);
      return agree(table, type, { PartitionId, UserId, ActiveOnly, SubmittedOnly }, expected);
    }
    case 'jobsExpire': {
      const { type, ...given } = command;
      const expiry = { ...given, TimeThreshold: at(model.now, given.TimeThreshold) };
      return agree(table, type, expiry, model.jobsExpire(expiry));
    }
    case 'getItemCount': {
      const PartitionId = command.PartitionId ?? noPartition;
      const hour = hourAt(model.now, command.hour);
      return agree(
        table,
        command.type,
        { PartitionId, ...hour },
        model.getItemCount(PartitionId, hour.Hour, hour.Date),
      );
    }
    case 'updateItemCount': {
      const { ItemCount } = command;
      const PartitionId = command.PartitionId ?? noPartition;
      const hour = hourAt(model.now, command.hour);
      const expected = model.updateItemCount(PartitionId, hour.Hour, hour.Date, ItemCount);
      return agree(table, command.type, { PartitionId, ...hour, ItemCount }, expected);
    }
    default:
      return playShared(table, command);
  }
}

async function playWord(table: Table, command: WordCommand | Word2Command): Promise<void> {
  const model = table.model as WordModel; // made by the same game
  switch (command.type) {
    case 'addJob': {
      const { type, JobId, PartitionId, Settings, token } = command;
      const [UserTokenHeader, UserTokenSid, UserTokenGroups] = token;
      const job = { JobId, UserTokenHeader, UserTokenSid, UserTokenGroups, PartitionId, Settings, Name: null };
      const input = {
        ...job,
        UserTokenHeader: bytes(UserTokenHeader),
        UserTokenSid: bytes(UserTokenSid),
        UserTokenGroups: bytes(UserTokenGroups),
      };
      return agree(table, type, input, model.addJob(job));
    }
    case 'getJobs': {
      const { type, PartitionId, UserTokenSid, UserTokenGroups, ActiveOnly, SubmittedOnly } = command;
      const input = {
        PartitionId,
        UserTokenSid: bytes(UserTokenSid),
        UserTokenGroups: bytes(UserTokenGroups),
        ActiveOnly,
        SubmittedOnly,
      };
      const expected = model.getJobs(PartitionId, UserTokenSid, UserTokenGroups, ActiveOnly, SubmittedOnly);
      return agree(table, type, input, expected);
    }
    case 'jobsExpire': {
      const { type, ...given } = command;
      const expiry = { ...given, TimeThreshold: at(model.now, given.TimeThreshold) };
      return agree(table, type, expiry, model.jobsExpire(expiry));
    }
    default:
      return playShared(table, command);
  }
}

/** The game of MS-TSSPROC on a kind of database. */
export const translationGame = (kind: Kind): Game<TranslationCommand> => ({
  kind,
  family: 'translation/2010/11',
  model: (now) => new TranslationModel(now),
  play: playTranslation,
});

/** The game of MS-WORDSSP. */
export const wordGame = (kind: Kind): Game<WordCommand> => ({
  kind,
  family: 'word/2009/08',
  model: (now) => new WordModel(now),
  play: playWord,
});

/** The game of MS-WORDSSP2. */
export const word2Game = (kind: Kind): Game<Word2Command> => ({
  kind,
  family: 'word/2009/08',
  model: (now) => new Word2Model(now),
  play: playWord,
});
