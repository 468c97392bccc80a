import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badJobAdds } from './bad-documents.ts';
import { jobAdd } from './documents.ts';
import { type JobsFixture, partitionA, procedureOf } from './fixture.ts';

/** What the three protocols say of proc_AddJob, proc_AddGroup and proc_SubmitJob. */
export function addingRules(fixture: JobsFixture): void {
  const { kind, family } = fixture.protocol;
  const section = (name: string) => procedureOf(kind, name).section;

  test(`${section('AddJob')}: a new job is created now, neither submitted nor cancelled`, async () => {
    await fixture.addJob(-6843074718075247457n);
    const [job] = await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: false });
    const created = { JobId: -6843074718075247457n, CreateTime: fixture.now, CancelTime: null, Submitted: false };
    assert.deepEqual(job, { ...created, Name: 'testJob' });
  });

  test(`${section('AddJob')}: a JobId in use fails with 2627 and the first job stays as it is`, async () => {
    await fixture.addJob(1n);
    const again = { JobId: 1n, ...fixture.protocol.jobDefaults, PartitionId: partitionA, Name: 'other' };
    assert.deepEqual(await fixture.call('AddJob', again), { error: 2627 });
    assert.deepEqual(
      (await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: false })).map(({ Name }) => Name),
      ['testJob'],
    );
  });

  test(`${section('AddGroup')}: CATCH learns the error and its procedure, and the client hears of none`, async () => {
    await fixture.addJob(1n);
    const { sets } = await fixture.client.batch(`
      begin transaction
      begin try
        exec proc_SubmitJob 1
        exec proc_AddGroup 1, 1, 'in', 'out', 1, '<group/>'
      end try
      begin catch
        select error_number() as Number, error_procedure() as Name, xact_state() as State
      end catch
      commit`);
    assert.deepEqual(sets, [[{ Number: 50000, Name: 'proc_AddGroup', State: 1 }]]);
    assert.equal((await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: true })).length, 1);
  });

  test(`${section('AddJob')}: @JobId must be given and not NULL`, async () => {
    assert.deepEqual(await fixture.call('AddJob', fixture.protocol.jobDefaults), { error: 201 });
    assert.deepEqual(await fixture.call('AddJob', { ...fixture.protocol.jobDefaults, JobId: null }), { error: 515 });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test(`${section('AddGroup')}: adds the group and an item for each element, files as they are written`, async () => {
    await fixture.addJob(1n);
    const items = [
      { ItemId: 2, InputFile: 'Aenean%20nec.docx', OutputFile: 'Aenean%20nec_Spanish.docx' },
      { ItemId: -1, InputFile: 'a & b <c> "d"\n\te', OutputFile: 'ä€😀 ' },
    ];
    const JobXml = jobAdd(family, items).replaceAll('\t', '&#9;');
    await fixture.done('AddGroup', { ...fixture.groupInput(1n, -5, []), JobXml, MaxAttemptsCount: 255 });
    const state = { StartTime: null, StopTime: null, ErrorCode: null };
    assert.deepEqual(
      await fixture.items(1n, -5),
      items.reverse().map(({ ItemId, ...files }) => ({ ItemId, ...state, ...files })),
    );
    await fixture.done('SubmitJob', { JobId: 1n });
    assert.deepEqual(
      (await fixture.batch()).map(({ AttemptsRemaining, WorkerServerInstance }) => [
        AttemptsRemaining,
        WorkerServerInstance,
      ]),
      [
        [255, null],
        [255, null],
      ],
    );
    const group = { GroupId: -5, InputRoot: 'http://contoso.com/in', OutputRoot: 'http://contoso.com/out' };
    const job = { CreateTime: fixture.now, CancelTime: null, Submitted: true, Settings: '<settings/>' };
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), [{ ...group, ...job }]);
  });

  test(`${section('AddGroup')}: reads any prefix, comments, instructions and an XML declaration`, async () => {
    await fixture.addJob(1n);
    const namespace = `http://schemas.microsoft.com/office/server/${family}/databaseJobAdd`;
    const JobXml =
      `<?xml version="1.0" encoding="utf-16"?><?go on?><!-- <!DOCTYPE a> --><ja:group xmlns:ja="${namespace}">` +
      `<ja:item id=" +7 " in="€" out=""/><!-- item --></ja:group><!-- end -->`;
    await fixture.done('AddGroup', { ...fixture.groupInput(1n, 1, []), JobXml });
    const [item] = await fixture.items(1n);
    assert.deepEqual([item?.['ItemId'], item?.['InputFile'], item?.['OutputFile']], [7, '€', '']);
  });

  test(`${section('AddGroup')}: an unknown job fails with 547`, async () => {
    assert.deepEqual(await fixture.call('AddGroup', fixture.groupInput(1n, 1, [1])), { error: 547 });
    await fixture.addJob(1n);
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
  });

  test(`${section('AddGroup')}: two groups of a job never have one GroupId: 2627, nothing is added`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    assert.deepEqual(await fixture.call('AddGroup', fixture.groupInput(1n, 1, [2, 3])), { error: 2627 });
    assert.deepEqual(await fixture.status(1n), [1, 1, 0, 0, 0, 0, 0]);
  });

  test(`${section('AddGroup')}: two items of a group never have one ItemId: 2627, nothing is added`, async () => {
    await fixture.addJob(1n);
    assert.deepEqual(await fixture.call('AddGroup', fixture.groupInput(1n, 1, [1, 2, 1])), { error: 2627 });
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
    assert.deepEqual(await fixture.status(1n), [0, 0, 0, 0, 0, 0, 0]);
  });

  test(`${section('AddGroup')}: items of two groups may have one ItemId`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    await fixture.addGroup(1n, 2, [1]);
    assert.deepEqual(await fixture.status(1n), [2, 2, 0, 0, 0, 0, 0]);
  });

  test(`${section('AddGroup')}: attempts are 0 to 255, others fail with 220 and nothing is added`, async () => {
    await fixture.addJob(1n);
    for (const MaxAttemptsCount of [256, -1, 32767, -32768]) {
      const input = { ...fixture.groupInput(1n, 1, [1]), MaxAttemptsCount };
      assert.deepEqual(await fixture.call('AddGroup', input), { error: 220 });
    }
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
    await fixture.addGroup(1n, 1, [1], 0);
    await fixture.addGroup(1n, 2, [1], 255);
  });

  for (const [wrong, JobXml, error] of badJobAdds(family)) {
    test(`${section('AddGroup')}: @JobXml that ${wrong} fails with ${error} and nothing is added`, async () => {
      await fixture.addJob(1n);
      assert.deepEqual(await fixture.call('AddGroup', { ...fixture.groupInput(1n, 1, []), JobXml }), { error });
      assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
    });
  }

  test(`${section('AddGroup')}: items added to a submitted job are handed out, to a cancelled job are canceled`, async () => {
    await fixture.submittedJob(1n, [1]);
    await fixture.addGroup(1n, 2, [1]);
    assert.deepEqual(await fixture.handedOut(), ['1/1/1', '1/2/1']);
    await fixture.done('CancelJob', { JobId: 1n });
    await fixture.addGroup(1n, 3, [1]);
    assert.deepEqual(await fixture.status(1n), [3, 0, 0, 0, 0, 0, 3]);
  });

  test(`${section('SubmitJob')}: the job is submitted, again and when cancelled; an unknown job changes nothing`, async () => {
    await fixture.addJob(1n);
    await fixture.addGroup(1n, 1, [1]);
    assert.deepEqual(await fixture.handedOut(), []);
    await fixture.done('SubmitJob', { JobId: 1n });
    await fixture.done('SubmitJob', { JobId: 1n });
    assert.deepEqual(await fixture.handedOut(), ['1/1/1']);
    await fixture.addJob(2n);
    await fixture.done('CancelJob', { JobId: 2n });
    await fixture.done('SubmitJob', { JobId: 2n });
    await fixture.done('SubmitJob', { JobId: 3n });
    assert.deepEqual(
      (await fixture.rows('GetJobs', { ActiveOnly: false, SubmittedOnly: true })).map((job) => [
        job['JobId'],
        job['CancelTime'],
      ]),
      [
        [1n, null],
        [2n, fixture.now],
      ],
    );
  });
}
