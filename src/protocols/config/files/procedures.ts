import type { AnyProcedure } from '../../../procedure/declare.ts';
import { getFile } from './get-file.ts';
import { getTemplate } from './get-template.ts';
import { putFileSegment } from './put-file-segment.ts';

/** Files: large values stored with the configuration objects. */
export const fileProcedures: readonly AnyProcedure[] = [getFile, getTemplate, putFileSegment];
