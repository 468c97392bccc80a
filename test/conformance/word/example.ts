import type { Example } from '../jobs/example.ts';
import { partitionA } from '../jobs/fixture.ts';

const group = `<group
xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd">

<item id="1" in="Aenean%20nec.docx" out="Aenean%20nec.pdf" />

<item id="2" in="Fusce%20aliquet.docx" out="Fusce%20aliquet.pdf" />

</group>`;
const batch = `<batch
xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseBatchUpdate">

<start>

<item job="1" group="1" id="1" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" />
<item job="1" group="1" id="2" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" />

</start>

<failed />

</batch>`;

/** Section 4.1, printed alike in both versions. */
export const wordExample = (section: string): Example => ({
  section,
  steps: [
    {
      name: 'AddJob',
      text: `exec dbo.proc_AddJob
@JobId = '1',
@UserTokenHeader = 0x00000000000000000000000000000000,
@UserTokenGroups = 0x1,
@UserTokenSid = 0x1,
@PartitionId = '93572c0a-d9e1-1395-dab3-932eac7ba30c',
@Settings = '<settings/>',
@Name = 'testJob'`,
      input: {
        JobId: 1n,
        UserTokenHeader: Buffer.alloc(16),
        UserTokenGroups: Buffer.from([1]),
        UserTokenSid: Buffer.from([1]),
        PartitionId: partitionA,
        Settings: '<settings/>',
        Name: 'testJob',
      },
    },
    {
      name: 'AddGroup',
      text: `exec dbo.proc_AddGroup

@JobId = '1',

@GroupId = '1',

@InputRoot = NULL,

@OutputRoot = NULL,

@MaxAttemptsCount = '2',

@JobXml =

'${group}'`,
      input: { JobId: 1n, GroupId: 1, InputRoot: null, OutputRoot: null, MaxAttemptsCount: 2, JobXml: group },
    },
    { name: 'SubmitJob', text: `exec dbo.proc_SubmitJob\n\n@JobId = '1'`, input: { JobId: 1n } },
    {
      name: 'GetConversionBatch',
      text: `exec dbo.proc_GetConversionBatch
@NumberOfConversionsInBatch = 2,
@InProgressThreshold = 'Jan 31 2008 01:01:01:000AM'`,
      input: { NumberOfConversionsInBatch: 2, InProgressThreshold: new Date('2008-01-31T01:01:01.000Z') },
    },
    {
      name: 'UpdateConversionBatch',
      text: `exec dbo.proc_UpdateConversionBatch\n\n@BatchXml = '${batch}'`,
      input: { BatchXml: batch },
    },
    {
      name: 'UpdateSucceededItem',
      text: `exec dbo.proc_UpdateSucceededItem\n@JobId = '1',\n@GroupId = '1',\n@ItemId = '1',\n@Reserved = NULL`,
      input: { JobId: 1n, GroupId: 1, ItemId: 1, Reserved: null },
    },
    {
      name: 'UpdateFailedItem',
      text: `exec dbo.proc_UpdateFailedItem
@JobId = '1',
@GroupId = '1',
@ItemId = '2',
@Reserved = NULL,
@ErrorCode = '1',
@NoRetry = '1'`,
      input: { JobId: 1n, GroupId: 1, ItemId: 2, Reserved: null, ErrorCode: 1, NoRetry: true },
    },
  ],
  updated: {
    InputRoot: null,
    OutputRoot: null,
    Settings: '<settings/>',
    UserTokenHeader: '00000000000000000000000000000000',
    UserTokenSid: '01',
    UserTokenGroups: '01',
  },
  outputs: ['Aenean%20nec.pdf', 'Fusce%20aliquet.pdf'],
});
