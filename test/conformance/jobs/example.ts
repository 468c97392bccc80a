import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyProcedure, Columns, Outcomes } from '../../../src/procedure/declare.ts';
import type { Kind } from '../../../src/procedure/kind.ts';
import type { Answer } from '../../support/client.ts';
import { allClasses, type JobsFixture, partitionA, procedureOf, worker } from './fixture.ts';
import { plainRow } from './hosts.ts';
import type { Rows } from './model.ts';

/** One call of a worked example: as the specification prints it, and the same values as parameters. */
export interface Step {
  readonly name: string;
  readonly text: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A worked example (section 4): its seven calls, and what they give. */
export interface Example {
  readonly section: string;
  readonly steps: readonly [Step, Step, Step, Step, Step, Step, Step];
  /** The row of step 10, without JobId and GroupId. */
  readonly updated: Readonly<Record<string, unknown>>;
  readonly outputs: readonly [string, string];
}

/** When the documented run was made. */
const documented = new Date('2010-01-19T14:18:53.397Z');

/** Runs a worked example value for value, once as printed T-SQL and once by RPC. */
export function exampleRuns(fixture: JobsFixture, example: Example): void {
  const { kind } = fixture.protocol;
  const run = {
    'as printed T-SQL': ({ text }: Step) => fixture.client.batch(text),
    'as remote procedure calls': ({ name, input }: Step) => fixture.client.callLoosely(procedureOf(kind, name), input),
  };
  for (const [how, send] of Object.entries(run)) {
    test(`${example.section}: the worked example runs ${how}, value for value`, () => play(fixture, example, send));
  }
}

async function play(fixture: JobsFixture, example: Example, send: (step: Step) => Promise<Answer>): Promise<void> {
  const [addJob, addGroup, submitJob, getBatch, updateBatch, succeeded, failed] = example.steps;
  const { kind } = fixture.protocol;
  const status = () => fixture.status(1n, partitionA);
  const active = async () => (await fixture.call('HasActiveJobs')).status;
  const plain = (name: string, { sets }: Answer): Rows => {
    assert.equal(sets.length, 1);
    return (sets[0] ?? []).map((row) => plainRow(columnsOf(kind, name), row));
  };
  const silent = ({ sets, status: code }: Answer) => {
    assert.deepEqual(sets, []);
    assert.ok(code === undefined || code === 0);
  };
  fixture.clock.set(documented);
  silent(await send(addJob));
  assert.deepEqual([await status(), await active()], [[0, 0, 0, 0, 0, 0, 0], 0]);
  silent(await send(addGroup));
  assert.deepEqual([await status(), await active()], [[2, 2, 0, 0, 0, 0, 0], 0]);
  silent(await send(submitJob));
  assert.deepEqual([await status(), await active()], [[2, 0, 2, 0, 0, 0, 0], 1]);
  assert.deepEqual(plain('GetConversionBatch', await send(getBatch)), [
    expectedItem(1, 'Aenean%20nec.docx', example.outputs[0]),
    expectedItem(2, 'Fusce%20aliquet.docx', example.outputs[1]),
  ]);
  assert.deepEqual(plain('UpdateConversionBatch', await send(updateBatch)), [
    { JobId: 1n, GroupId: 1, ...example.updated },
  ]);
  assert.deepEqual([await status(), await active()], [[2, 0, 0, 2, 0, 0, 0], 1]);
  assert.deepEqual(
    (await fixture.batch(0, fixture.at(10))).map((row) => [row['AttemptsRemaining'], row['WorkerServerInstance']]),
    kind.name === 'translation'
      ? [
          [1, worker],
          [1, worker],
        ]
      : [],
  );
  silent(await send(succeeded));
  assert.deepEqual([await status(), await active()], [[2, 0, 0, 1, 1, 0, 0], 1]);
  silent(await send(failed));
  assert.deepEqual([await status(), await active()], [[2, 0, 0, 0, 1, 1, 0], 0]);
  const items = await fixture.rows('GetItems', { JobId: 1n, GroupId: 1, PartitionId: partitionA, ...allClasses });
  assert.deepEqual(
    items.map((item) => [item['ItemId'], item['StopTime'], item['ErrorCode']]),
    [
      [1, documented, null],
      [2, documented, 1],
    ],
  );
}

function columnsOf(kind: Kind, name: string): Columns {
  const declared: AnyProcedure = procedureOf(kind, name);
  const outcomes: Outcomes = declared.outcomes;
  const columns = outcomes['done']?.sets?.['ResultSet0'];
  assert.ok(columns);
  return columns;
}

const expectedItem = (ItemId: number, InputFile: string, OutputFile: string) => ({
  JobId: 1n,
  GroupId: 1,
  ItemId,
  InProgress: false,
  InputFile,
  OutputFile,
  AttemptsRemaining: 2,
  WorkerServerInstance: null,
  StartTime: null,
  CreateTime: documented,
});
