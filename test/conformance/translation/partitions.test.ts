import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { allClasses, JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { translationProtocol } from '../jobs/protocols.ts';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, translationProtocol);

  test('MS-TSSPROC 3.1.5.1: @InputRoot, @OutputRoot, @MaxAttemptsCount, @JobXml and out are mandatory', async () => {
    await fixture.addJob(1n);
    for (const name of ['InputRoot', 'OutputRoot', 'MaxAttemptsCount', 'JobXml', 'JobId', 'GroupId']) {
      const input = { ...fixture.groupInput(1n, 1, [1]), [name]: null };
      assert.deepEqual(await fixture.call('AddGroup', input), { error: 515 }, name);
    }
    const JobXml = fixture.jobXml([1]).replace(/ out="[^"]*"/, '');
    assert.deepEqual(await fixture.call('AddGroup', { ...fixture.groupInput(1n, 1, []), JobXml }), { error: 50000 });
    assert.deepEqual(await fixture.rows('GetGroups', { JobId: 1n }), []);
  });

  test('MS-TSSPROC 3.1.5.9: items come only with the job’s own partition; NULL is a job without one', async () => {
    await fixture.submittedJob(1n, [1], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1]);
    assert.equal((await fixture.items(1n, 1, partitionA)).length, 1);
    assert.deepEqual(await fixture.items(1n, 1, partitionB), []);
    assert.deepEqual(await fixture.items(1n, 1, null), []);
    assert.deepEqual(await fixture.rows('GetItems', { JobId: 1n, GroupId: 1, ...allClasses }), []);
    assert.equal((await fixture.items(2n, 1, null)).length, 1);
    assert.deepEqual(await fixture.items(2n, 1, partitionA), []);
  });

  test('MS-TSSPROC 3.1.5.9: @JobId and @GroupId must not be NULL', async () => {
    const ask = (more: object) => fixture.call('GetItems', { JobId: 1n, GroupId: 1, ...allClasses, ...more });
    assert.deepEqual(await ask({ JobId: null }), { error: 515 });
    assert.deepEqual(await ask({ GroupId: null }), { error: 515 });
  });

  test('MS-TSSPROC 3.1.5.10: jobs of the partition only, NULL means jobs without one, in order of creation', async () => {
    await fixture.addJob(9n, { PartitionId: partitionA });
    fixture.clock.advance(1000);
    await fixture.addJob(3n, { PartitionId: partitionA });
    await fixture.addJob(2n, { PartitionId: partitionA });
    await fixture.addJob(1n);
    assert.deepEqual(await fixture.jobIds({ PartitionId: partitionA }), [9n, 2n, 3n]);
    assert.deepEqual(await fixture.jobIds(), [1n]);
    assert.deepEqual(await fixture.jobIds({ PartitionId: partitionB }), []);
  });

  test('MS-TSSPROC 3.1.5.10: @UserId asks for the user under the collation, whatever the case and blanks behind it, NULL for any', async () => {
    await fixture.addJob(1n, { UserId: 'user@contoso.com' });
    await fixture.addJob(2n, { UserId: 'USER@contoso.com' });
    await fixture.addJob(3n);
    assert.deepEqual(await fixture.jobIds({ UserId: 'user@contoso.com' }), [1n, 2n]);
    assert.deepEqual(await fixture.jobIds({ UserId: 'user@contoso.com ' }), [1n, 2n]);
    assert.deepEqual(await fixture.jobIds({ UserId: ' user@contoso.com' }), []);
    assert.deepEqual(await fixture.jobIds({ UserId: null }), [1n, 2n, 3n]);
  });

  test('MS-TSSPROC 3.1.5.11: a job is described only with its own partition', async () => {
    await fixture.addJob(1n, { PartitionId: partitionA });
    await fixture.addJob(2n);
    assert.ok(await fixture.status(1n, partitionA));
    assert.equal(await fixture.status(1n, partitionB), undefined);
    assert.equal(await fixture.status(1n), undefined);
    assert.ok(await fixture.status(2n));
    assert.equal(await fixture.status(2n, partitionA), undefined);
  });

  test('MS-TSSPROC 3.1.5.12: returns the number of active jobs', async () => {
    for (const JobId of [1n, 2n, 3n]) await fixture.submittedJob(JobId, [1]);
    assert.deepEqual(await fixture.call('HasActiveJobs'), { status: 3 });
    await fixture.start(2n, 1);
    await fixture.succeed(2n, 1);
    assert.deepEqual(await fixture.call('HasActiveJobs'), { status: 2 });
  });

  test('MS-TSSPROC 3.1.5.15: the rows tell the job’s partition and token', async () => {
    await fixture.submittedJob(1n, [1], { PartitionId: partitionA });
    await fixture.submittedJob(2n, [1]);
    const rows = await fixture.update([
      { JobId: 1n, GroupId: 1, ItemId: 1 },
      { JobId: 2n, GroupId: 1, ItemId: 1 },
    ]);
    const group = { GroupId: 1, InputRoot: 'http://contoso.com/in', OutputRoot: 'http://contoso.com/out' };
    const rest = { Settings: '<settings/>', UserToken: '1234567890' };
    assert.deepEqual(rows, [
      { JobId: 1n, ...group, ...rest, PartitionId: partitionA },
      { JobId: 2n, ...group, ...rest, PartitionId: null },
    ]);
  });
});
