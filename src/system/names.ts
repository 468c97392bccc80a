import { byName } from '../base/by-name.ts';
import { nvarchar } from '../tds/types/index.ts';

/** The type of every name in SQL Server. */
export const sysname = nvarchar(128);

/** The ids of the schemas that a database has. */
export const schemaIds: Readonly<Record<string, number>> = byName({ dbo: 1, guest: 2, INFORMATION_SCHEMA: 3, sys: 4 });

/** What every text compares by: SharePoint's collation. */
export const collation = 'Latin1_General_CI_AS_KS_WS';
