/** Returns freed memory to the system; undefined if the C library or this Node cannot do so. */
export type Trim = (() => void) | undefined;

/**
 * glibc returns the end of its heap by itself, but not the free pages within it, which a crowd of clients leaves
 * behind. Only Node from 26 on can call the function (`node:ffi`), and other C libraries have none.
 */
export async function openTrim(): Promise<Trim> {
  try {
    const { dlopen } = await import('node:ffi');
    const { malloc_trim: trim } = dlopen('libc.so.6', {
      malloc_trim: { arguments: ['uint64'], return: 'int32' },
    }).functions;
    return () => {
      trim(0n);
    };
  } catch {
    return undefined; // an older Node, or another C library: what was freed stays with the process
  }
}
