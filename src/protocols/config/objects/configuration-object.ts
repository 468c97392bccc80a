import { orNull } from '../../../procedure/declare.ts';
import { int, ntext, nvarchar, rowversion, uniqueidentifier } from '../../../tds/types/index.ts';

/** The columns of a configuration object (3.1.5.25.2); a root's parent and an unset status are NULL. */
export const configurationObject = {
  Id: uniqueidentifier,
  ParentId: orNull(uniqueidentifier),
  ClassId: uniqueidentifier,
  Name: nvarchar(128),
  Status: orNull(int),
  Version: rowversion,
  Properties: ntext,
};
