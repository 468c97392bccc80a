import type { Example } from '../jobs/example.ts';
import { partitionA } from '../jobs/fixture.ts';

const group =
  '<group xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd">' +
  '<item id="1" in="Aenean%20nec.docx" out="Aenean%20nec_Thai.docx" />' +
  '<item id="2" in="Fusce%20aliquet.docx" out="Fusce%20aliquet_Thai.docx" />' +
  '</group>';
const batch =
  '<batch xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseBatchUpdate"><start>' +
  '<item job="1" group="1" id="1" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" />' +
  '<item job="1" group="1" id="2" wsi="b00ae9a1-0474-474e-b348-f6a8bcc95331" />' +
  '</start><failed /></batch>';

/** Section 4; what its steps 3 and 9 leave out is taken from step 8 and from MS-WORDSSP 4.1. */
export const example: Example = {
  section: 'MS-TSSPROC 4',
  steps: [
    {
      name: 'AddJob',
      text: `exec dbo.proc_AddJob
@JobId = '1',
@UserId = 'user@contoso.com',
@UserToken = 0x1234567890,
@PartitionId = '93572c0a-d9e1-1395-dab3-932eac7ba30c',
@Settings = '<settings/>',
@Name = 'testJob',
@ItemCount = '2',
@MaxItemsPerDay = '1000',
@MaxItemsPerPartitionPerDay = '100'`,
      input: {
        JobId: 1n,
        UserId: 'user@contoso.com',
        UserToken: Buffer.from('1234567890', 'hex'),
        PartitionId: partitionA,
        Settings: '<settings/>',
        Name: 'testJob',
        ItemCount: 2,
        MaxItemsPerDay: 1000,
        MaxItemsPerPartitionPerDay: 100,
      },
    },
    {
      name: 'AddGroup',
      text: `exec dbo.proc_AddGroup
@JobId = '1',
@GroupId = '1',
@InputRoot = 'http://contoso.com',
@OutputRoot = 'http://contoso.com',
@MaxAttemptsCount = '2',
@JobXml = '${group}'`,
      input: {
        JobId: 1n,
        GroupId: 1,
        InputRoot: 'http://contoso.com',
        OutputRoot: 'http://contoso.com',
        MaxAttemptsCount: 2,
        JobXml: group,
      },
    },
    { name: 'SubmitJob', text: `exec dbo.proc_SubmitJob\n@JobId = '1'`, input: { JobId: 1n } },
    {
      name: 'GetConversionBatch',
      text: `exec dbo.proc_GetConversionBatch
@NumberOfConversionsInBatch = 2,
@InProgressThreshold = 'Jan 31 2008 01:01:01:000AM'`,
      input: { NumberOfConversionsInBatch: 2, InProgressThreshold: new Date('2008-01-31T01:01:01.000Z') },
    },
    {
      name: 'UpdateConversionBatch',
      text: `exec dbo.proc_UpdateConversionBatch\n@BatchXml = '${batch}'`,
      input: { BatchXml: batch },
    },
    {
      name: 'UpdateSucceededItem',
      text: `exec dbo.proc_UpdateSucceededItem\n@JobId = '1',\n@GroupId = '1',\n@ItemId = '1'`,
      input: { JobId: 1n, GroupId: 1, ItemId: 1 },
    },
    {
      name: 'UpdateFailedItem',
      text: `exec dbo.proc_UpdateFailedItem
@JobId = '1',
@GroupId = '1',
@ItemId = '2',
@ErrorCode = '1',
@NoRetry = '1'`,
      input: { JobId: 1n, GroupId: 1, ItemId: 2, ErrorCode: 1, NoRetry: true },
    },
  ],
  updated: {
    InputRoot: 'http://contoso.com',
    OutputRoot: 'http://contoso.com',
    Settings: '<settings/>',
    PartitionId: partitionA,
    UserToken: '1234567890',
  },
  outputs: ['Aenean%20nec_Thai.docx', 'Fusce%20aliquet_Thai.docx'],
};
