import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { dropPendingDistributionList } from '../../../src/protocols/config/distribution-lists/drop-pending-distribution-list.ts';
import { getPendingDistributionListsSinceVersion } from '../../../src/protocols/config/distribution-lists/get-pending-distribution-lists-since-version.ts';
import { putPendingDistributionList } from '../../../src/protocols/config/distribution-lists/put-pending-distribution-list.ts';
import { dropEmailEnabledList } from '../../../src/protocols/config/email/drop-email-enabled-list.ts';
import { dropEmailEnabledListByAlias } from '../../../src/protocols/config/email/drop-email-enabled-list-by-alias.ts';
import { getDeletedEmailAliases } from '../../../src/protocols/config/email/get-deleted-email-aliases.ts';
import { getEmailEnabledListByAlias } from '../../../src/protocols/config/email/get-email-enabled-list-by-alias.ts';
import { markForDeletionEmailEnabledListsBySite } from '../../../src/protocols/config/email/mark-for-deletion-email-enabled-lists-by-site.ts';
import { putDistributionListToDelete } from '../../../src/protocols/config/email/put-distribution-list-to-delete.ts';
import { putEmailEnabledList } from '../../../src/protocols/config/email/put-email-enabled-list.ts';
import type { Answer } from '../../support/client.ts';
import { emptyGuid, guidOf } from './farm.ts';
import { forEachFarm } from './with-farm.ts';

// The figures of section 4 hold the values of the calls and are not in the text, so the values are chosen here.
const siteA = '10000000-0000-0000-0000-00000000000a';
const siteB = '10000000-0000-0000-0000-00000000000b';
const webA1 = '11000000-0000-0000-0000-0000000000a1';
const webA2 = '11000000-0000-0000-0000-0000000000a2';
const webB1 = '11000000-0000-0000-0000-0000000000b1';
const listA1 = '12000000-0000-0000-0000-0000000000a1';
const listA2 = '12000000-0000-0000-0000-0000000000a2';
const listB1 = '12000000-0000-0000-0000-0000000000b1';
const listB2 = '12000000-0000-0000-0000-0000000000b2';

/** The return code and the rows, GUIDs in lower case; no entry for a call without a result set. */
const told = ({ status, sets }: Answer) => [
  status,
  ...sets.map((rows) =>
    rows.map((row) =>
      Object.values(row).map((value) => (/^[\dA-F-]{36}$/.test(String(value)) ? guidOf(value) : value)),
    ),
  ),
];

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 4.1: deletes the e-mail-enabled lists of a site collection', () =>
    withFarm(async ({ client }) => {
      const put = async (Alias: string, SiteId: string, WebId: string, ListId: string) =>
        told(await client.call(putEmailEnabledList, { Alias, SiteId, WebId, ListId }));
      const find = async (Alias: string) => told(await client.call(getEmailEnabledListByAlias, { Alias }));
      const deleted = async () => told(await client.call(getDeletedEmailAliases, {}));
      const drop = async (Alias: string) => told(await client.call(dropEmailEnabledListByAlias, { Alias }));

      assert.deepEqual(await put('announce', siteA, webA1, listA1), [0]);
      assert.deepEqual(await put('tasks', siteA, webA2, listA2), [0]);
      assert.deepEqual(await put('news', siteB, webB1, listB1), [0]);
      assert.deepEqual(await put('announce', siteB, webB1, listB2), [1]);
      assert.deepEqual(told(await client.call(putDistributionListToDelete, { Alias: 'all-staff' })), [0]);

      // 4.1.1
      assert.deepEqual(told(await client.call(markForDeletionEmailEnabledListsBySite, { SiteId: siteA })), [0]);
      assert.deepEqual(await find('announce'), [0, []]);
      assert.deepEqual(await find('news'), [0, [[siteB, webB1, listB1]]]);
      // 4.1.2
      const marked = [
        ['all-staff', emptyGuid],
        ['announce', listA1],
        ['tasks', listA2],
      ];
      assert.deepEqual(await deleted(), [0, marked]);
      assert.deepEqual(await put('announce', siteB, webB1, listB2), [1]);
      const one = { SiteId: siteA, WebId: webA1, ListId: listA1 };
      assert.deepEqual(told(await client.call(dropEmailEnabledList, one)), [0]);
      assert.deepEqual(await deleted(), [0, marked]);
      // 4.1.3
      assert.deepEqual(await drop('announce'), [0]);
      assert.deepEqual(await drop('tasks'), [0]);
      assert.deepEqual(await deleted(), [0, [['all-staff', emptyGuid]]]);
      assert.deepEqual(await drop('all-staff'), [0]);
      assert.deepEqual(await deleted(), [0, []]);
      assert.deepEqual(await put('announce', siteB, webB1, listB2), [0]);
      assert.deepEqual(await find('announce'), [0, [[siteB, webB1, listB2]]]);
    }));

  test('MS-WSSCFGD2 4.2: adds, retrieves and removes pending distribution lists', () =>
    withFarm(async ({ client }) => {
      const put = async (WebId: string, GroupName: string, ModifiedBy: string) =>
        told(await client.call(putPendingDistributionList, { SiteId: siteA, WebId, GroupName, ModifiedBy }));
      const since = async (Version: bigint) => {
        const { status, sets } = await client.call(getPendingDistributionListsSinceVersion, { Version });
        assert.equal(status, 0);
        return (sets[0] ?? []).map((row) => ({
          entry: [guidOf(row['SiteId']), guidOf(row['WebId']), row['GroupName']],
          version: BigInt(String(row[''])),
        }));
      };
      const drop = async () => {
        const level = { SiteId: siteA, WebId: webA1, GroupName: 'Approvers' };
        return told(await client.call(dropPendingDistributionList, level));
      };

      // 4.2.1
      assert.deepEqual(await put(webA1, 'Approvers', 'CONTOSO\\anna'), [0, []]);
      assert.deepEqual(await put(webA1, 'Editors', 'CONTOSO\\ben'), [0, []]);
      // 4.2.2
      const [first, second] = await since(0n);
      assert.ok(first && second && 0n < first.version && first.version < second.version);
      assert.deepEqual(
        [first.entry, second.entry],
        [
          [siteA, webA1, 'Approvers'],
          [siteA, webA1, 'Editors'],
        ],
      );
      assert.deepEqual(await since(second.version), []);
      assert.deepEqual(await put(webA1, 'Approvers', 'CONTOSO\\cleo'), [0, [[0]]]);
      const [third] = await since(second.version);
      assert.ok(third && third.version > second.version);
      assert.deepEqual(third.entry, [siteA, webA1, 'Approvers']);
      assert.deepEqual(await put(webA2, 'Approvers', 'CONTOSO\\anna'), [0, []]);
      const [, , fourth] = await since(0n);
      assert.ok(fourth && fourth.version > third.version);
      assert.deepEqual(fourth.entry, [siteA, webA2, 'Approvers']);
      assert.deepEqual(await since(0n), [second, third, fourth]);
      // 4.2.3
      assert.deepEqual(await drop(), [0]);
      assert.deepEqual(await since(0n), [second, fourth]);
      assert.deepEqual(await drop(), [0]);
    }));

  test('MS-WSSCFGD2 4.4: stores a file of 75000 bytes in two segments and retrieves it', () =>
    withFarm(async (farm) => {
      const object = '41000000-0000-0000-0000-000000000001';
      const never = '41000000-0000-0000-0000-0000000000ff';
      const file = Buffer.from(Uint8Array.from({ length: 75_000 }, (_, at) => at % 251));
      const sha = async () => {
        const stored = await farm.file(object);
        return stored && [stored.length, createHash('sha256').update(stored).digest('hex')];
      };
      const put = async (id: string, bytes: Buffer, offset: number) => told(await farm.segment(id, bytes, offset));

      await farm.stored(object);
      assert.equal(await sha(), undefined);
      // 4.4.1
      assert.deepEqual(await put(object, file.subarray(0, 50_000), 0), [0]);
      assert.deepEqual(await put(object, file.subarray(50_000), 50_000), [0]);
      // 4.4.2
      assert.deepEqual(await sha(), [75_000, '930e9d966b8718a5ae7bc40d8004b3120c83c9f967f367e576140e26297620f0']);

      assert.deepEqual(await put(never, Buffer.from([1]), 50_000), [1]);
      assert.equal(await farm.file(never), undefined);
      assert.deepEqual(await put(object, Buffer.from([1]), 75_001), [2]);
      assert.deepEqual(await put(object, Buffer.from([0xaa, 0xbb]), 10), [0]);
      assert.deepEqual(await sha(), [75_000, 'a9a01c534ee8537f30e86c8a7cf7c5570c6cf22d3bb46ad2a39216d401667664']);
      assert.deepEqual(await put(object, Buffer.from([1, 2]), 0), [0]);
      assert.deepEqual(await farm.file(object), Buffer.from([1, 2]));
    }));
});
