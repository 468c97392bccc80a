/** What is reported for a file that this process may not read, or that the system cannot read. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user is not allowed to read it',
  EPERM: 'this user is not allowed to read it',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
  EBADMSG: 'the disk cannot read it',
  EUCLEAN: 'the disk cannot read it',
};

/** Why a file could not be read, if the cause concerns this file only and other files remain usable. */
export function whyUnreadable(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  const reason = reasons[String(error.code)];
  return reason === undefined ? undefined : `${reason} (${error.message})`;
}
