import type { Caller, RequestOptions } from '../../client/caller.ts';
import type { Client } from '../../client/client.ts';
import { translationClaims } from '../../protocols/translation/claims.ts';
import { getConversionBatch as getTranslations } from '../../protocols/translation/get-conversion-batch.ts';
import { updateConversionBatch as updateTranslations } from '../../protocols/translation/update-conversion-batch.ts';
import { updateFailedItem as translationFailed } from '../../protocols/translation/update-failed-item.ts';
import { updateSucceededItem as translationSucceeded } from '../../protocols/translation/update-succeeded-item.ts';
import { wordClaims } from '../../protocols/word/claims.ts';
import { getConversionBatch as getConversions } from '../../protocols/word/get-conversion-batch.ts';
import { updateConversionBatch as updateConversions } from '../../protocols/word/update-conversion-batch.ts';
import { updateFailedItem as conversionFailed } from '../../protocols/word/update-failed-item.ts';
import { updateSucceededItem as conversionSucceeded } from '../../protocols/word/update-succeeded-item.ts';
import type { ItemName } from './work-item.ts';

/** What a worker claims with. */
interface ClaimRequest {
  readonly Worker: string;
  readonly Count: number;
  readonly LeaseSeconds: number;
  readonly Name: string;
  readonly Own: boolean;
}

interface Group extends Pick<ItemName, 'JobId' | 'GroupId'> {
  readonly InputRoot: string | null;
  readonly OutputRoot: string | null;
  readonly Settings: string | null;
}

interface Fetched extends ItemName {
  readonly InputFile: string;
  readonly OutputFile: string | null;
  readonly AttemptsRemaining: number;
}

interface Claimed extends Fetched {
  readonly Lease: bigint;
}

/** The procedures that a dispatcher calls in a database of jobs: those of its protocol, and Granary's own. */
export interface JobProtocol {
  /** The namespace of databaseBatchUpdate. */
  readonly batchNamespace: string;
  readonly claims: Omit<typeof wordClaims, 'claimItems'>;
  claim(client: Client, request: ClaimRequest): Promise<{ Items: readonly Claimed[]; Groups: readonly Group[] }>;
  /** proc_GetConversionBatch */
  fetch(client: Client, most: number, startedBefore: Date): Promise<readonly Fetched[]>;
  /** proc_UpdateConversionBatch */
  start(client: Client, batch: string): Promise<readonly Group[]>;
  /** proc_UpdateSucceededItem */
  succeeded(client: Caller, item: ItemName, options: RequestOptions): Promise<unknown>;
  /** proc_UpdateFailedItem */
  failed(client: Caller, item: ItemName, noRetry: boolean, code: number, options: RequestOptions): Promise<unknown>;
}

const nameOf = ({ JobId, GroupId, ItemId }: ItemName): ItemName => ({ JobId, GroupId, ItemId });

/** MS-WORDSSP and MS-WORDSSP2, whose dispatchers call the same. */
export const conversions: JobProtocol = {
  batchNamespace: 'http://schemas.microsoft.com/office/server/word/2009/08/databaseBatchUpdate',
  claims: wordClaims,
  claim: async (client, request) => (await client.call(wordClaims.claimItems, request)).sets,
  fetch: async (client, NumberOfConversionsInBatch, InProgressThreshold) =>
    (await client.call(getConversions, { NumberOfConversionsInBatch, InProgressThreshold })).sets.ResultSet0,
  start: async (client, BatchXml) => (await client.call(updateConversions, { BatchXml })).sets.ResultSet0,
  succeeded: (client, item, options) => client.call(conversionSucceeded, nameOf(item), options),
  failed: (client, item, NoRetry, ErrorCode, options) =>
    client.call(conversionFailed, { ...nameOf(item), NoRetry, ErrorCode }, options),
};

/** MS-TSSPROC */
export const translations: JobProtocol = {
  batchNamespace: 'http://schemas.microsoft.com/office/server/translation/2010/11/databaseBatchUpdate',
  claims: translationClaims,
  claim: async (client, request) =>
    (await client.call(translationClaims.claimItems, { ...request, Interleaved: true })).sets,
  fetch: async (client, NumberOfConversionsInBatch, InProgressThreshold) =>
    (await client.call(getTranslations, { NumberOfConversionsInBatch, InProgressThreshold })).sets.ResultSet0,
  start: async (client, BatchXml) => (await client.call(updateTranslations, { BatchXml })).sets.ResultSet0,
  succeeded: (client, item, options) => client.call(translationSucceeded, nameOf(item), options),
  failed: (client, item, NoRetry, ErrorCode, options) =>
    client.call(translationFailed, { ...nameOf(item), NoRetry, ErrorCode }, options),
};
