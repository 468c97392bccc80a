import { itemErrors } from '../../item-errors.ts';
import type { Refusal } from './refusal.ts';

/** How many preceding items are counted; beyond that, the text says that there are more. */
export const mostCounted = 10_000;

/** What is known about an unfinished item. */
interface Waiting {
  readonly StartTime: Date | null;
  readonly Worker: string | null;
  readonly Name: string | null;
  readonly LeaseUntil: Date | null;
  readonly isLapsed: boolean;
  readonly failures: number;
  readonly LastError: number | null;
  readonly LastMessage: string | null;
  readonly AttemptsRemaining: number;
}

/** What is known about its job and the workers. */
export interface Circumstances {
  readonly isSubmitted: boolean;
  readonly cancelTime: Date | null;
  /** True if a worker is present that would work on the job. */
  readonly isWorkedOn: boolean;
}

/** Why an item waits: a word for programs and a sentence for people. */
interface Reason {
  readonly State: 'NotSubmitted' | 'Canceled' | 'InProgress' | 'LeaseOver' | 'NoWorker' | 'Behind' | 'Refused';
  readonly Reason: string;
}

/** Why an item waits, with that many items ahead of it. */
export function reasonOf(item: Waiting, { isSubmitted, cancelTime, isWorkedOn }: Circumstances, ahead: number): Reason {
  if (cancelTime !== null)
    return { State: 'Canceled', Reason: `The job was cancelled at ${cancelTime.toISOString()}.` };
  if (!isSubmitted) return { State: 'NotSubmitted', Reason: 'The job is not submitted.' };
  const past = failuresOf(item);
  const said = (State: Reason['State'], text: string): Reason => ({ State, Reason: `${past}${text}` });
  if (item.StartTime !== null) return inProgress(item, isWorkedOn, said);
  if (!isWorkedOn) return said('NoWorker', 'No worker is running.');
  return said('Behind', ahead === 0 ? 'It is next in line.' : `${aheadOfIt(ahead)} ahead of it.`);
}

/** Why a job was never added. */
export function refusedReason({ items, until }: Refusal): Reason {
  const when =
    until === undefined
      ? `the daily limit never allows ${items} items at once`
      : `the daily limit is used up until ${until.toISOString()}`;
  return { State: 'Refused', Reason: `The job was not added: ${when}.` };
}

function aheadOfIt(ahead: number): string {
  if (ahead > mostCounted) return `More than ${mostCounted} items are`;
  return ahead === 1 ? '1 item is' : `${ahead} items are`;
}

function inProgress(
  { StartTime, Worker, Name, LeaseUntil, isLapsed }: Waiting,
  isWorkedOn: boolean,
  said: (State: Reason['State'], text: string) => Reason,
): Reason {
  const who = Name ?? Worker ?? 'an unnamed worker';
  if (!isLapsed) return said('InProgress', `In progress since ${StartTime?.toISOString()} on ${who}.`);
  const next = isWorkedOn ? 'the next claim takes it over' : 'no other worker is running';
  return said(
    'LeaseOver',
    `${who} has not been heard from, and its lease expired at ${LeaseUntil?.toISOString()}; ${next}.`,
  );
}

function failuresOf({ failures, LastError, LastMessage, AttemptsRemaining }: Waiting): string {
  if (failures === 0) return '';
  const known = Object.values(itemErrors).find(({ code }) => code === LastError);
  const text = LastMessage ?? known?.text;
  const last = LastError === null ? '' : `, last with error ${LastError}${text === undefined ? '' : ` (${text})`}`;
  return `Failed ${times(failures)}${last}; ${attempts(AttemptsRemaining)} left. `;
}

const times = (count: number): string => (count === 1 ? '1 time' : `${count} times`);
const attempts = (count: number): string => (count === 1 ? '1 attempt' : `${count} attempts`);
