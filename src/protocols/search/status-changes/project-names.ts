import { fold } from '../../../base/text/collation.ts';

/** The projects by name, as names compare (2.2.1.19). */
export const projectKeys = { portalContent: fold('Portal_Content'), anchor: fold('AnchorProject') } as const;
