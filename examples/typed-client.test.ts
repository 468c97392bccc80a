import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { translation } from '../src/protocols/translation/kind.ts';
import { password, startServer } from '../test/support/server.ts';

const example = fileURLToPath(new URL('typed-client.ts', import.meta.url));

test('examples/typed-client.ts adds a job in a transaction and streams the jobs', async () => {
  await using server = await startServer({ kinds: [translation] });
  const { tlsCert = '' } = server.granary.settings;
  const env = {
    ...process.env,
    GRANARY_PORT: String(server.port),
    GRANARY_PASSWORD: password,
    GRANARY_CERTIFICATE: tlsCert,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  assert.match(stdout, /^The job is added\.\n\d+n typed 2\d{3}-/);
});

test('the README shows examples/typed-client.ts as it is', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  assert.ok(readme.includes(`\`\`\`ts\n${readFileSync(example, 'utf8')}\`\`\`\n`));
});
