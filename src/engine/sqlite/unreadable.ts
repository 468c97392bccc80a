/** What the system says of a file that it does not let this process read, or cannot read itself. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to read it',
  EPERM: 'this user is not allowed to read it',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
  EBADMSG: 'the disk cannot read it',
  EUCLEAN: 'the disk cannot read it',
};

/** Why a file could not be read, where that is the file's own trouble, which keeps nobody from other files. */
export function whyUnreadable(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  const reason = reasons[String(error.code)];
  return reason === undefined ? undefined : `${reason} (${error.message})`;
}
