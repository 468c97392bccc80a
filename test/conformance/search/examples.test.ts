import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAdmin } from '../../../src/protocols/search/kinds/search-admin.ts';
import { createNewComponentRecord } from '../../../src/protocols/search/status-changes/create-new-component-record.ts';
import { forEachSearch } from './with-search.ts';

const application = '67c2cdf0-9347-427f-927c-0850fa1ef450';
const component = `${application}-crawl-0`;

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 4.1: a new content source: the registry version of a component goes up in a transaction', () =>
    withSearch(async ({ client }) => {
      // In the order of 3.2.5.6; the example commits before it sets.
      const { sets } = await client.batch(`
        exec proc_MSS_SetConfigurationProperty N'${component}', N'14.0.4006.3007'
        declare @transaction int, @schema sql_variant, @found int, @version int
        exec @transaction = proc_MSS_CreateConfigTransaction
        exec proc_MSS_SetConfigPropertyWithTransaction N'${component}\\CurrentRegistryVersion', 0x000002e9, @transaction
        exec proc_MSS_CommitConfigTransaction @transaction
        exec proc_MSS_GetConfigurationProperty N'${component}', @schema output
        exec @found = proc_MSS_GetCurrentRegistryVersion N'${component}\\CurrentRegistryVersion', @version output
        select @transaction as id, cast(@schema as nvarchar(64)) as vers, @found as found, @version as n`);
      assert.deepEqual(sets[0], [{ id: 1, vers: '14.0.4006.3007', found: 0, n: 745 }]);
    }));

  test('MS-SQLPGAT2 4.1: asked by the name of the component alone, its registry version is found too', () =>
    withSearch(async ({ client }) => {
      const { sets } = await client.batch(`
        exec proc_MSS_SetConfigurationProperty N'${component}\\CurrentRegistryVersion', 745
        declare @found int, @version int
        exec @found = proc_MSS_GetCurrentRegistryVersion N'${component}', @version output
        select @found as found, @version as n`);
      assert.deepEqual(sets[0], [{ found: 0, n: 745 }]);
    }));

  test('MS-SQLPGAT2 4.2: a new host distribution rule: the portal content pauses for refactoring', () =>
    withSearch(async ({ client }) => {
      for (const ProjectName of ['Portal_Content', 'AnchorProject']) {
        await client.call(createNewComponentRecord, {
          ComponentName: component,
          ProjectName,
          ComponentType: 2,
          ComponentId: 0,
        });
      }
      const { sets } = await client.batch(`
        declare @before int, @asked int, @waiting int, @due int, @reset int, @pause int, @level int, @done int, @why int
        exec @before = proc_MSS_GetPauseCrawlsReasons
        exec proc_MSS_SetRequestToPauseCrawlsPortalContent 0x00000020
        exec @waiting = proc_MSS_IsPauseCrawlsPortalContentDone
        exec @due = proc_MSS_GetStatusChangeRequest N'${component}', N'Portal_Content', 0,
          @reset output, @pause output, @level output
        exec proc_MSS_CompleteStatusChange N'${component}', N'Portal_Content', 0
        exec @done = proc_MSS_IsPauseCrawlsPortalContentDone
        exec @why = proc_MSS_GetPauseCrawlsReasons
        select @before as a, @waiting as b, @due as c, @reset as d, @pause as e, @level as f, @done as g, @why as h`);
      assert.deepEqual(Object.values(sets[0]?.[0] ?? {}), [0, 0, 1, 0, 1, 2, 1, 0x20]);
    }));
});
