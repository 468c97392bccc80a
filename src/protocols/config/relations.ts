import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../procedure/relations/relation.ts';
import {
  bigint,
  bit,
  datetime,
  ntext,
  nvarchar,
  rowversion,
  tinyint,
  uniqueidentifier,
  varbinary,
} from '../../tds/types/index.ts';
import { configurationObject } from './objects/configuration-object.ts';
import { timerRelations } from './timer-jobs/relations.ts';
import { installation } from './versions/installation.ts';

/**
 * What clients may SELECT from. The specification defines no tables or views (2.2.7): these follow its data model
 * (3.1.1).
 */
export const configRelations: readonly Relation[] = [
  relation({
    name: 'Objects',
    from: sql`objects`,
    primaryKey: ['Id'],
    uniqueKeys: [['Version']],
    indexes: [['ClassId']],
    columns: {
      Id: stored(configurationObject.Id, 'id'),
      ParentId: stored(configurationObject.ParentId, 'parent_id'),
      ClassId: stored(configurationObject.ClassId, 'class_id'),
      Name: stored(configurationObject.Name, 'name', { key: 'name_key' }),
      Status: stored(configurationObject.Status, 'status'),
      Version: stored(configurationObject.Version, 'version'),
      Properties: stored(configurationObject.Properties, 'properties'),
    },
  }),
  // Beside Objects, whose columns are those of the data model: a root has the GUID of zeros as its parent here.
  relation({
    name: 'ObjectTree',
    from: sql`objects`,
    primaryKey: ['Id'],
    indexes: [['ParentKey', 'ClassId']],
    columns: {
      Id: stored(configurationObject.Id, 'id'),
      ParentKey: stored(uniqueidentifier, 'parent_key'),
      ClassId: stored(configurationObject.ClassId, 'class_id'),
      Name: stored(configurationObject.Name, 'name', { key: 'name_key' }),
      Status: stored(configurationObject.Status, 'status'),
      Version: stored(configurationObject.Version, 'version'),
    },
  }),
  relation({
    name: 'ObjectVersions',
    from: sql`object_versions`,
    primaryKey: ['Id', 'Version'],
    columns: {
      Id: stored(uniqueidentifier, 'id'),
      Version: stored(rowversion, 'version'),
      ReplacedTime: stored(datetime, 'replaced_time'),
      Properties: stored(ntext, 'properties'),
    },
  }),
  relation({
    name: 'Files',
    from: sql`files`,
    primaryKey: ['ObjectId'],
    columns: { ObjectId: stored(uniqueidentifier, 'object_id'), Length: stored(bigint, 'length') },
  }),
  relation({
    name: 'FileChunks',
    from: sql`file_chunks`,
    primaryKey: ['ObjectId', 'Chunk'],
    columns: {
      ObjectId: stored(uniqueidentifier, 'object_id'),
      Chunk: stored(bigint, 'chunk'),
      Bytes: stored(varbinary('max'), 'bytes'),
    },
  }),
  relation({
    name: 'Classes',
    from: sql`classes`,
    primaryKey: ['Id'],
    indexes: [['BaseClassId']],
    columns: {
      Id: stored(uniqueidentifier, 'id'),
      BaseClassId: stored(orNull(uniqueidentifier), 'base_id'),
      FullName: stored(nvarchar(256), 'full_name'),
    },
  }),
  relation({
    name: 'Dependencies',
    from: sql`dependencies`,
    primaryKey: ['ObjectId', 'DependantId'],
    indexes: [['DependantId', 'ObjectId']],
    columns: {
      ObjectId: stored(uniqueidentifier, 'object_id'),
      DependantId: stored(uniqueidentifier, 'dependee_id'),
    },
  }),
  relation({
    name: 'Tombstones',
    from: sql`tombstones`,
    primaryKey: ['Id'],
    uniqueKeys: [['Version']],
    columns: { Id: stored(uniqueidentifier, 'id'), Version: stored(rowversion, 'version') },
  }),
  relation({
    name: 'SiteMap',
    from: sql`site_map`,
    primaryKey: ['Id', 'DatabaseId'],
    columns: {
      Id: stored(uniqueidentifier, 'id', { order: 'id_order' }),
      DatabaseId: stored(uniqueidentifier, 'database_id'),
      ApplicationId: stored(uniqueidentifier, 'application_id'),
      SubscriptionId: stored(orNull(uniqueidentifier), 'subscription_id'),
      Path: stored(nvarchar(128), 'path', { key: 'path_key' }),
      Pairing: stored(tinyint, 'pairing'),
      RedirectUrl: stored(orNull(nvarchar(512)), 'redirect_url'),
      HostHeaderIsSiteName: stored(bit, 'host_header_is_site_name'),
      DeletionTime: stored(orNull(datetime), 'deletion_time'),
    },
  }),
  relation({
    name: 'SiteContainers',
    from: sql`site_containers`,
    primaryKey: ['DatabaseId', 'ApplicationId'],
    indexes: [['ApplicationId']],
    columns: {
      DatabaseId: stored(uniqueidentifier, 'database_id'),
      ApplicationId: stored(uniqueidentifier, 'application_id'),
      Sites: stored(bigint, 'sites'),
    },
  }),
  relation({
    name: 'EmailEnabledLists',
    from: sql`email_enabled_lists`,
    primaryKey: ['Alias'],
    indexes: [['SiteId', 'WebId', 'ListId']],
    columns: {
      Alias: stored(nvarchar(128), 'alias', { key: 'alias_key' }),
      SiteId: stored(uniqueidentifier, 'site_id'),
      WebId: stored(uniqueidentifier, 'web_id'),
      ListId: stored(uniqueidentifier, 'list_id'),
      Deleted: stored(bit, 'deleted'),
    },
  }),
  relation({
    name: 'PendingDistributionLists',
    from: sql`pending_distribution_lists`,
    primaryKey: ['SiteId', 'WebId', 'GroupName'],
    uniqueKeys: [['Version']],
    columns: {
      SiteId: stored(uniqueidentifier, 'site_id'),
      WebId: stored(uniqueidentifier, 'web_id'),
      GroupName: stored(nvarchar(255), 'group_name', { key: 'group_key' }),
      ModifiedBy: stored(nvarchar(255), 'modified_by'),
      Version: stored(rowversion, 'version'),
    },
  }),
  relation({
    name: 'ProductVersions',
    from: sql`product_versions`,
    indexes: [['ServerId']],
    columns: {
      ServerId: stored(installation.ServerId, 'server_id'),
      Product: stored(installation.Product, 'product'),
      Version: stored(installation.Version, 'version'),
      PatchableUnit: stored(installation.PatchableUnit, 'patchable_unit'),
      PatchableUnitName: stored(installation.PatchableUnitName, 'patchable_unit_name'),
      PatchName: stored(installation.PatchName, 'patch_name'),
      PatchUrl: stored(installation.PatchUrl, 'patch_url'),
      Flags: stored(installation.Flags, 'flags'),
    },
  }),
  ...timerRelations,
];
