import { optionalOutput } from '../../procedure/param.ts';
import { uniqueidentifier } from '../../tds/types/index.ts';

/** Closes the parameter list of nearly every procedure of this protocol; the server hands it back as it came. */
export const RequestGuid = optionalOutput(
  uniqueidentifier,
  'An identifier of the request for the logs; handed back unchanged.',
);

/** The GUID that stands for "none". */
export const emptyGuid = '00000000-0000-0000-0000-000000000000';
