import { searchKind } from '../area.ts';
import { fullText } from '../full-text/area.ts';
import { properties } from '../properties/area.ts';

/** The areas of a property store. */
export const propertyAreas = [properties, fullText];

/** A property store (MS-SQLPGAT2). */
export const searchProperty = searchKind({
  name: 'search-property',
  firstDatabase: 'Search_PropertyStore',
  areas: propertyAreas,
});
