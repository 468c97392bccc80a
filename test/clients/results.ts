import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Check } from './checks.ts';
import type { ClientId } from './packages.ts';

/** What docs/clients.md knows of a client; the tests compare it with what the client does, and write it when told to. */
export interface ClientResult {
  readonly id: ClientId;
  /** The version that the results are of; another version may well give the same. */
  readonly version: string;
  readonly variants: readonly { readonly name: string; readonly tds: string; readonly tls: boolean | 'login' }[];
  readonly works: readonly Check[];
  readonly lacks: Readonly<Record<string, string>>;
}

const fileOf = (id: ClientId): string => `${import.meta.dirname}/results/${id}.json`;

/** The result of a client as it was written down last. */
export function readResult(id: ClientId): ClientResult | undefined {
  return existsSync(fileOf(id)) ? JSON.parse(readFileSync(fileOf(id), 'utf8')) : undefined;
}

/** Compares a client's result with the one written down; GRANARY_CLIENT_RESULTS=write writes it down instead. */
export function compareResult(result: ClientResult): void {
  if (process.env['GRANARY_CLIENT_RESULTS'] === 'write') {
    writeFileSync(fileOf(result.id), `${JSON.stringify(result, undefined, 2)}\n`);
    return;
  }
  const { version: _, ...written } = readResult(result.id) ?? { version: '' };
  const { version: __, ...found } = result;
  assert.deepEqual(found, written, 'GRANARY_CLIENT_RESULTS=write npm test writes the results anew');
}
