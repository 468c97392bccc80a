import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type ClientId, type ClientPackages, clientPackages } from './packages.ts';
import { missing, outputOf, startClientServer } from './run.ts';

/** What a client's program has to print for a check: its name in words, and the facts. */
export interface MatrixCheck {
  readonly rule: string;
  readonly facts: Readonly<Record<string, unknown>> | ((facts: Record<string, unknown>) => void);
}

/** Runs the program of a client of the matrix that tries what only that client can do. */
export function testMatrix(
  id: ClientId,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  checks: Readonly<Record<string, MatrixCheck>>,
): void {
  testProgram(clientPackages[id], command, environment, checks);
}

/** Runs a program, and compares what it prints, a test a check. */
export function testProgram(
  client: ClientPackages,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  checks: Readonly<Record<string, MatrixCheck>>,
): void {
  const { title } = client;
  const skip = missing(client) ?? false;
  describe(title, () => {
    const told = new Map<string, Record<string, unknown>>();
    before(async () => {
      if (skip !== false) return;
      await using server = await startClientServer();
      const output = await outputOf(command, { ...server.environment, ...environment });
      for (const line of output.split('\n').filter((text) => text.startsWith('{'))) {
        const { check, ...facts } = JSON.parse(line);
        told.set(String(check), facts);
      }
    });
    for (const [check, { rule, facts }] of Object.entries(checks)) {
      test(`${title}: ${rule}`, { skip }, () => {
        const found = told.get(check);
        assert.ok(found, `the program told nothing about ${check}`);
        assert.equal(found['error'], undefined, String(found['error']));
        if (typeof facts === 'function') facts(found);
        else assert.deepEqual(found, facts);
      });
    }
  });
}
