import { systemCode } from '../../../base/system-code.ts';
import type { ItemError } from '../../../protocols/jobs/item-errors.ts';
import { WorkError } from '../work-error.ts';

const causes: Readonly<Record<string, readonly [ItemError, string]>> = {
  EACCES: ['accessDenied', 'The worker has no right to it.'],
  EPERM: ['accessDenied', 'The worker has no right to it.'],
  EROFS: ['accessDenied', 'It is on a file system that cannot be written to.'],
  ENOSPC: ['diskFull', 'The disk is full.'],
  EDQUOT: ['diskFull', 'The disk quota is exhausted.'],
  EFBIG: ['tooLarge', 'The file is larger than the file system, or the limit of the process, allows.'],
  EISDIR: ['outputExists', 'A folder of that name exists.'],
  EEXIST: ['outputExists', 'An output of that name already exists and may not be replaced.'],
  ENAMETOOLONG: ['badName', 'The name is too long.'],
  ELOOP: ['notAllowed', 'The path contains a symbolic link.'],
};

/** The fault of a file, in words; `missing` is the error if it does not exist. */
export function fileError(error: unknown, missing: 'notFound' | 'folderMissing'): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof WorkError) return error;
  const code = systemCode(error) ?? String(error.code);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return missing === 'notFound'
      ? new WorkError('notFound', 'There is no such file.', { cause: error })
      : new WorkError('folderMissing', 'The folder of the output does not exist.', { cause: error });
  }
  if (code.startsWith('ERR_') || code === 'ABORT_ERR') return error;
  const [kind, text] = causes[code] ?? ['unreachable', `The file system reports ${code}.`];
  return new WorkError(kind, text, { cause: error });
}
