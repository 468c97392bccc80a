import { searchKind } from '../area.ts';
import { foundationProcedures } from './foundation-procedures.ts';
import { adminAreas } from './search-admin.ts';
import { crawlAreas } from './search-crawl.ts';
import { propertyAreas } from './search-property.ts';

/**
 * The search database of the Foundation role, which has one component and one database for everything (MS-SQLPGAT2
 * 3.3).
 */
export const search = searchKind({
  name: 'search',
  firstDatabase: 'WSS_Search',
  isWhole: true,
  areas: [...adminAreas(), ...crawlAreas, ...propertyAreas],
  procedures: foundationProcedures,
});
