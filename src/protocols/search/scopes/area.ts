import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { getCompiledScopeRules } from './get-compiled-scope-rules.ts';
import { getCompiledScopes } from './get-compiled-scopes.ts';
import { getCompletedScopesCompilationId } from './get-completed-scopes-compilation-id.ts';
import { getDeletedScopesForCompilation } from './get-deleted-scopes-for-compilation.ts';
import { getScopeRulesForCompilation } from './get-scope-rules-for-compilation.ts';
import { getScopesForCompilation } from './get-scopes-for-compilation.ts';
import { scopeRelations } from './relations.ts';
import { shareScopesCompilationInfo } from './share-scopes-compilation-info.ts';

/** Scopes and their compilation. */
export const scopes: Area = {
  procedures: [
    getCompiledScopeRules,
    getCompiledScopes,
    getCompletedScopesCompilationId,
    getDeletedScopesForCompilation,
    getScopeRulesForCompilation,
    getScopesForCompilation,
    shareScopesCompilationInfo,
  ],
  relations: scopeRelations,
  migrations: migrationsIn('search/scopes', new URL('./migrations/', import.meta.url)),
};
