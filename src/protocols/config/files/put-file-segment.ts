import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, uniqueidentifier, varbinary } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { fileLength, longestFile, replaceFile, writeAt } from './chunks.ts';

export const putFileSegment = procedure({
  name: 'proc_putFileSegment',
  section: 'MS-WSSCFGD2 3.1.5.53',
  summary: 'Writes a byte range of a file; offset 0 starts the file over.',
  access: 'write',
  params: {
    ObjectId: nullable(uniqueidentifier, 'The file: the identifier of the configuration object that it belongs to.'),
    Bytes: nullable(varbinary('max'), 'The bytes to write.'),
    Offset: nullable(int, 'Where they go: the count of bytes before them in the file.'),
    RequestGuid,
  },
  outcomes: {
    written: { code: 0, meaning: 'The bytes are stored.' },
    notFound: { code: 1, meaning: 'There is no such file and @Offset is greater than 0.' },
    failed: { code: 2, meaning: 'Nothing is written: a gap, a negative offset, a NULL, or a file beyond 2 GB.' },
  },
  async handle({ db }, { ObjectId, Bytes, Offset }) {
    if (ObjectId === null || Offset === null || Offset < 0) return { outcome: 'failed' };
    if (Offset === 0) {
      if (Bytes === null) return { outcome: 'failed' };
      await replaceFile(db, ObjectId, Bytes);
      return { outcome: 'written' };
    }
    const length = await fileLength(db, ObjectId);
    if (length === undefined) return { outcome: 'notFound' };
    if (Bytes === null || Offset > length || Offset + Bytes.length > longestFile) return { outcome: 'failed' };
    if (Bytes.length > 0) await writeAt(db, ObjectId, length, Offset, Bytes);
    return { outcome: 'written' };
  },
});
