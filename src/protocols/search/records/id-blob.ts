import { int32 } from './field.ts';
import { layout } from './layout.ts';

/** A document identifier of an Id Blob (MS-SQLPQ2 2.2.1.2). */
export const documentId = layout('Id Blob', 'MS-SQLPQ2 2.2.1.2', 4, { DocId: int32 });
