import { nullable } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';

/** The parameters that the procedures on e-mail-enabled lists share. */
export const Alias = nullable(nvarchar(128), 'The e-mail alias.');
export const SiteId = nullable(uniqueidentifier, 'The site collection.');
export const WebId = nullable(uniqueidentifier, 'The site.');
export const ListId = nullable(uniqueidentifier, 'The list.');
