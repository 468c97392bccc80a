// Loads all that a server loads, so that it is in the compile cache; see compile-cache.js.
import { enableCompileCache } from 'node:module';
import { compileCache } from './compile-cache.js';

enableCompileCache(compileCache);
await import('../src/cli/process.ts');
await import('../src/engine/sqlite/engine.ts');
await import('../src/engine/postgres/engine.ts');
