import { sql } from '../../engine/sql.ts';
import { orNull } from '../../procedure/declare.ts';
import { type Relation, relation } from '../../procedure/relation.ts';
import { bit, datetime, nvarchar, rowversion, tinyint, uniqueidentifier } from '../../tds/types/index.ts';
import { configurationObject } from './objects/configuration-object.ts';
import { timerRelations } from './timer-jobs/relations.ts';
import { installation, keptInstallation } from './versions/installation.ts';

const registered = { Id: uniqueidentifier, BaseClassId: orNull(uniqueidentifier), FullName: nvarchar(256) };
const dependency = { ObjectId: uniqueidentifier, DependantId: uniqueidentifier };
const tombstone = { Id: uniqueidentifier, Version: rowversion };
const site = {
  Id: uniqueidentifier,
  DatabaseId: uniqueidentifier,
  ApplicationId: uniqueidentifier,
  SubscriptionId: orNull(uniqueidentifier),
  Path: nvarchar(128),
  Pairing: tinyint,
  RedirectUrl: orNull(nvarchar(512)),
  HostHeaderIsSiteName: bit,
  DeletionTime: orNull(datetime),
};
const emailList = {
  Alias: nvarchar(128),
  SiteId: uniqueidentifier,
  WebId: uniqueidentifier,
  ListId: uniqueidentifier,
  Deleted: bit,
};
const pendingList = {
  SiteId: uniqueidentifier,
  WebId: uniqueidentifier,
  GroupName: nvarchar(255),
  ModifiedBy: nvarchar(255),
  Version: rowversion,
};
/** What clients may SELECT from. The specification defines no tables or views (2.2.7): these follow its data model (3.1.1). */
export const configRelations: readonly Relation[] = [
  relation({
    name: 'Objects',
    columns: configurationObject,
    rows: ({ db }) =>
      db.rows(
        configurationObject,
        sql`
          select id as "Id", parent_id as "ParentId", class_id as "ClassId", name as "Name", status as "Status",
            version as "Version", properties as "Properties"
          from objects order by version`,
      ),
  }),
  relation({
    name: 'Classes',
    columns: registered,
    rows: ({ db }) =>
      db.rows(
        registered,
        sql`select id as "Id", base_id as "BaseClassId", full_name as "FullName" from classes order by id`,
      ),
  }),
  relation({
    name: 'Dependencies',
    columns: dependency,
    rows: ({ db }) =>
      db.rows(
        dependency,
        sql`
          select object_id as "ObjectId", dependee_id as "DependantId" from dependencies order by object_id, dependee_id`,
      ),
  }),
  relation({
    name: 'Tombstones',
    columns: tombstone,
    rows: ({ db }) => db.rows(tombstone, sql`select id as "Id", version as "Version" from tombstones order by version`),
  }),
  relation({
    name: 'SiteMap',
    columns: site,
    rows: ({ db }) =>
      db.rows(
        site,
        sql`
          select id as "Id", database_id as "DatabaseId", application_id as "ApplicationId",
            subscription_id as "SubscriptionId", path as "Path", pairing as "Pairing", redirect_url as "RedirectUrl",
            host_header_is_site_name as "HostHeaderIsSiteName", deletion_time as "DeletionTime"
          from site_map order by id, database_id`,
      ),
  }),
  relation({
    name: 'EmailEnabledLists',
    columns: emailList,
    rows: ({ db }) =>
      db.rows(
        emailList,
        sql`
          select alias as "Alias", site_id as "SiteId", web_id as "WebId", list_id as "ListId", deleted as "Deleted"
          from email_enabled_lists order by alias_key`,
      ),
  }),
  relation({
    name: 'PendingDistributionLists',
    columns: pendingList,
    rows: ({ db }) =>
      db.rows(
        pendingList,
        sql`
          select site_id as "SiteId", web_id as "WebId", group_name as "GroupName", modified_by as "ModifiedBy",
            version as "Version"
          from pending_distribution_lists order by version`,
      ),
  }),
  relation({
    name: 'ProductVersions',
    columns: installation,
    rows: ({ db }) =>
      db.rows(installation, sql`select ${keptInstallation} from product_versions order by server_id, record_key`),
  }),
  ...timerRelations,
];
