/**
 * The limits of a thread that runs one small function. They are no tighter, for a thread that runs out of memory before it
 * has begun takes the process with it (V8: "GC during deserialization"), which limits of 16 MB did once in thousands of starts.
 */
export const smallThread = { maxOldGenerationSizeMb: 64, stackSizeMb: 1 };
