import { SqlError } from '../../../base/messages/sql-error.ts';
import { serveRequests } from '../../../base/threads/thread-side.ts';
import { batchUpdateForm } from './batch-update.ts';
import type { ReadAnswer, ReadRequest } from './document-reader.ts';
import type { Form } from './form.ts';
import { jobAddForm } from './job-add.ts';
import { buffersOf } from './packed.ts';
import { validatorOf } from './validator.ts';

// Runs in the thread that parses large documents.

const forms: Readonly<Record<ReadRequest['form'], Form<unknown, object>>> = {
  jobAdd: jobAddForm,
  batchUpdate: batchUpdateForm,
};
const validators = new Map<string, ReturnType<typeof validatorOf>>();

serveRequests<ReadRequest, ReadAnswer>(({ form, schema, document }) => {
  const { param, read, pack } = forms[form];
  const check = validators.get(schema) ?? validatorOf(new URL(schema));
  validators.set(schema, check);
  try {
    const packed = pack(read(check(Buffer.from(document).toString('utf16le'), param)));
    return { answer: { packed }, transfer: buffersOf(packed) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { number, message, severity, state } = error;
    return { answer: { refused: { number, message, severity, state } } };
  }
});
