import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { imageStream, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { fileBytes, fileLength } from './chunks.ts';

export const getFile = procedure({
  name: 'proc_getFile',
  section: 'MS-WSSCFGD2 3.1.5.24',
  summary: 'Returns the contents of a file.',
  access: 'read',
  params: {
    ObjectId: nullable(uniqueidentifier, 'The file: the identifier of the configuration object that it belongs to.'),
    RequestGuid,
  },
  outcomes: {
    done: { code: 0, meaning: 'The file, or no row.', sets: { File: { FileImage: imageStream } } },
  },
  async handle({ db }, { ObjectId }) {
    const length = ObjectId === null ? undefined : await fileLength(db, ObjectId);
    if (ObjectId === null || length === undefined) return { outcome: 'done', sets: { File: [] } };
    return { outcome: 'done', sets: { File: [{ FileImage: fileBytes(db, ObjectId, length) }] } };
  },
});
