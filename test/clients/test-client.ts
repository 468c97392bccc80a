import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isLongRun } from '../support/long-run.ts';
import { checkNames, checks, type Facts } from './checks.ts';
import { assertFacts } from './expected.ts';
import { type ClientId, clientPackages } from './packages.ts';
import { compareResult } from './results.ts';
import { missing, runScript, type Told } from './run.ts';

/** One way to use a client: its options, and what the server must see of them. */
export interface Variant {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly tds: string;
  /** Whether the connection is encrypted, or only its login. */
  readonly tls: boolean | 'login';
}

/** How a client is tested. */
export interface ClientTest {
  readonly id: ClientId;
  /** The program that runs the script, and the script. */
  readonly command: readonly string[];
  readonly variants: readonly Variant[];
  /** Checks (`cancel`) and single facts (`config.version`) that the client has no way to make, and why. */
  readonly lacks: Readonly<Record<string, string>>;
}

/** The versions as sys.dm_exec_connections has them. */
const protocolVersions: Readonly<Record<number, string>> = {
  1879048192: '7.0',
  1895825409: '7.1',
  1913192450: '7.2',
  1930035203: '7.3.A',
  1930100739: '7.3.B',
  1946157060: '7.4',
  134217728: '8.0',
};

/** One variant for each way to the server; all of them in the long run (GRANARY_TEST_LONG), since each starts programs. */
function variantsOfRun({ variants }: ClientTest): readonly Variant[] {
  if (isLongRun) return variants;
  return [
    ...new Map(variants.toReversed().map((variant) => [`${variant.tds} ${variant.tls}`, variant])).values(),
  ].reverse();
}

/** Runs a client in each of its variants, a test a check; where it is not installed every test is skipped and says why. */
export function testClient(client: ClientTest): void {
  const { title } = clientPackages[client.id];
  const skip = missing(clientPackages[client.id]) ?? false;
  const works = checkNames.filter((check) => !(check in client.lacks));
  const versions = new Set<string>();
  for (const variant of variantsOfRun(client)) {
    describe(`${title}, ${variant.name}`, () => {
      let told: Told | undefined;
      before(async () => {
        if (skip !== false) return;
        told = await runScript(client.command, variant.environment ?? {});
        versions.add(told.version);
      });
      for (const check of works) {
        test(`${title}, ${variant.name}: ${checks[check]}`, { skip }, () => {
          const facts = told?.facts.get(check);
          assert.ok(facts, `the script told nothing about ${check}`);
          assertFacts(check, facts, Object.keys(client.lacks));
          if (check === 'login') assertConnection(facts, variant);
        });
      }
    });
  }
  test(`${title}: docs/clients.md tells what it does`, { skip }, () => {
    const variants = client.variants.map(({ name, tds, tls }) => ({ name, tds, tls }));
    compareResult({ id: client.id, version: [...versions].join(', '), variants, works, lacks: client.lacks });
  });
}

function assertConnection({ encrypted, protocol }: Facts, { tds, tls }: Variant): void {
  assert.equal(encrypted, tls === true ? 'TRUE' : 'FALSE');
  assert.equal(protocolVersions[Number(protocol) >>> 0], tds);
}
