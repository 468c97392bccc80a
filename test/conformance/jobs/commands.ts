import fc from 'fast-check';
import type { ItemClass } from './model.ts';
import { itemClasses } from './model.ts';

/** The partitions that calls choose from; few, so that calls meet. */
export const partitions = [
  null,
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;
export const workers = ['b00ae9a1-0474-474e-b348-f6a8bcc95331', 'c11bf0b2-1585-585f-8459-07b9cdda6442'] as const;

const partition = fc.constantFrom<(string | null)[]>(...partitions);
const JobId = fc.constantFrom<bigint[]>(1n, 1n, 2n, 2n, -3n);
const GroupId = fc.constantFrom(1, 1, 1, 2);
const ItemId = fc.constantFrom(1, 2, 3);
const named = fc.record({ JobId, GroupId, ItemId });
const flag = fc.constantFrom(true, false, null);
/** A moment, in milliseconds from the present of the call. */
const offset = fc.constantFrom(-60_000, -1000, -10, 0, 10, 3_600_000);
const threshold = fc.option(offset, { nil: null });
const token = fc.constantFrom('01', 'abcd', null);
const count = fc.constantFrom(0, 1, 2, 3, 5, 100, -1);

const addGroup = fc.record({
  type: fc.constant('addGroup' as const),
  JobId,
  GroupId,
  attempts: fc.constantFrom(0, 1, 2, 3, 255, 256, -1),
  ids: fc.array(ItemId, { minLength: 1, maxLength: 4 }),
  outputs: fc.boolean(),
});

const getItems = fc.record({
  type: fc.constant('getItems' as const),
  JobId,
  GroupId,
  PartitionId: partition,
  switches: fc.record(Object.fromEntries(itemClasses.map((name) => [name, flag])) as Record<ItemClass, typeof flag>),
});

const updateConversionBatch = fc.record({
  type: fc.constant('updateConversionBatch' as const),
  started: fc.array(fc.record({ JobId, GroupId, ItemId, Worker: fc.constantFrom(...workers) }), { maxLength: 4 }),
  failed: fc.array(fc.record({ JobId, GroupId, ItemId, ErrorCode: fc.constantFrom(10, -11) }), { maxLength: 2 }),
});

const shared = [
  { weight: 6, arbitrary: addGroup },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('submitJob' as const), JobId }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancelJob' as const), JobId, PartitionId: partition }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancelAllActiveJobs' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('getConversionBatch' as const), count, threshold: offset }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('getGroups' as const), JobId, PartitionId: partition }) },
  { weight: 3, arbitrary: getItems },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('getJobStatus' as const), JobId, PartitionId: partition }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hasActiveJobs' as const) }) },
  { weight: 5, arbitrary: updateConversionBatch },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('updateFailedItem' as const),
      item: named,
      NoRetry: flag,
      ErrorCode: fc.constantFrom(1, null),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('updateSucceededItem' as const), item: named }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('advance' as const), by: fc.constantFrom(10, 1000, 70_000) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('upkeep' as const) }) },
] as const;

/** A job with a group of three items, submitted or not, from which a sequence may start. */
const filled = (number: bigint) =>
  fc
    .record({ attempts: fc.constantFrom(1, 2), submitted: fc.constantFrom(true, true, false) })
    .map(({ attempts, submitted }): SharedCommand[] => [
      { type: 'addGroup', JobId: number, GroupId: 1, attempts, ids: [1, 2, 3], outputs: true },
      ...(submitted ? [{ type: 'submitJob' as const, JobId: number }] : []),
    ]);

/** Sequences that mostly start with a few jobs in place, so that what comes after has something to act on. */
function sequences<Command>(
  command: fc.Arbitrary<Command | SharedCommand>,
  newJob: (JobId: bigint, PartitionId: string | null) => Command,
): fc.Arbitrary<(Command | SharedCommand)[]> {
  const start = fc
    .subarray([1n, 2n, -3n])
    .chain((numbers) =>
      fc.tuple(
        ...numbers.map((number) =>
          fc.tuple(partition, filled(number)).map(([PartitionId, rest]) => [newJob(number, PartitionId), ...rest]),
        ),
      ),
    );
  const rest = fc.array(command, { maxLength: 40, size: 'max' });
  return fc.tuple(start, rest).map(([jobs, calls]) => [...jobs.flat(), ...calls]);
}

const addTranslationJob = fc.record({
  type: fc.constant('addJob' as const),
  JobId,
  PartitionId: partition,
  UserId: fc.constantFrom('one', 'two', null),
  ItemCount: fc.constantFrom(null, null, 0, 1, 2),
  MaxItemsPerDay: fc.constantFrom(null, 4),
  MaxItemsPerPartitionPerDay: fc.constantFrom(null, 2),
});

const expiry = {
  TimeThreshold: threshold,
  PartitionId: partition,
  JobId: fc.constantFrom(null, null, null, 1n, 2n),
};
const hour = fc.constantFrom(-30, -24, -23, -1, 0, 1);

const translationCommand = fc.oneof(
  ...shared,
  { weight: 6, arbitrary: addTranslationJob },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('getConversionBatchInterleaved' as const), count, threshold: offset }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('getJobs' as const),
      PartitionId: partition,
      UserId: fc.constantFrom('one', null),
      ActiveOnly: flag,
      SubmittedOnly: flag,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('jobsExpire' as const),
      ...expiry,
      AllPartitions: fc.constantFrom(true, true, false, null),
      IncludeActiveJobs: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('getItemCount' as const), PartitionId: partition, hour }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('updateItemCount' as const),
      PartitionId: partition,
      hour,
      ItemCount: fc.constantFrom(0, 1, 3),
    }),
  },
);

const wordShared = [
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('addJob' as const),
      JobId,
      PartitionId: partition,
      Settings: fc.constantFrom('<settings/>', null),
      token: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(['00', '01', 'abcd'] as const, [null, null, null] as const) },
        { weight: 1, arbitrary: fc.tuple(token, token, token) },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('getJobs' as const),
      PartitionId: partition,
      UserTokenSid: token,
      UserTokenGroups: token,
      ActiveOnly: flag,
      SubmittedOnly: flag,
    }),
  },
] as const;

const wordCommand = fc.oneof(...shared, ...wordShared, {
  weight: 3,
  arbitrary: fc.record({ type: fc.constant('jobsExpire' as const), ...expiry, IncludeActiveJobs: flag }),
});

const word2Command = fc.oneof(...shared, ...wordShared, {
  weight: 3,
  arbitrary: fc.record({
    type: fc.constant('jobsExpire' as const),
    ...expiry,
    AllPartitions: flag,
    IncludeActiveJobs: flag,
  }),
});

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type SharedCommand = Value<(typeof shared)[number]['arbitrary']>;
export type TranslationCommand = Value<typeof translationCommand>;
export type WordCommand = Value<typeof wordCommand>;
export type Word2Command = Value<typeof word2Command>;

/** Random sequences of calls of MS-TSSPROC. */
export const translationSequence = sequences<TranslationCommand>(translationCommand, (JobId, PartitionId) => ({
  type: 'addJob',
  JobId,
  PartitionId,
  UserId: 'one',
  ItemCount: null,
  MaxItemsPerDay: null,
  MaxItemsPerPartitionPerDay: null,
}));

const newWordJob = (JobId: bigint, PartitionId: string | null): WordCommand & Word2Command => ({
  type: 'addJob',
  JobId,
  PartitionId,
  Settings: '<settings/>',
  token: ['00', '01', 'abcd'],
});

/** Random sequences of calls of MS-WORDSSP. */
export const wordSequence = sequences<WordCommand>(wordCommand, newWordJob);

/** Random sequences of calls of MS-WORDSSP2. */
export const word2Sequence = sequences<Word2Command>(word2Command, newWordJob);
