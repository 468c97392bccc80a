import { int, smallint } from '../../../tds/types/index.ts';

/** The Scope Compilation Result Set (2.2.4.1). */
export const scopeCompilation = { ScopeID: int, CompilationState: smallint };
