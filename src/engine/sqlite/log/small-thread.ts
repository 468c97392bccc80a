/**
 * The limits of a thread that runs one small function. They are no tighter because a thread that runs out of memory
 * while it starts takes the process down (V8: "GC during deserialization"), which limits of 16 MB did once in thousands
 * of starts.
 */
export const smallThread = { maxOldGenerationSizeMb: 64, stackSizeMb: 1 };
