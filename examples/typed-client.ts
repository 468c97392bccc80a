import { readFileSync } from 'node:fs';
import { Client } from 'granary/client';
import { addJob } from 'granary/protocols/translation/add-job';
import { getJobs } from 'granary/protocols/translation/get-jobs';

await using client = Client.create({
  host: process.env['GRANARY_HOST'] ?? '127.0.0.1',
  port: Number(process.env['GRANARY_PORT'] ?? 1433),
  user: 'sa',
  password: process.env['GRANARY_PASSWORD'] ?? '',
  database: 'TranslationServices',
  ca: readFileSync(process.env['GRANARY_CERTIFICATE'] ?? 'data/tls/server.crt', 'utf8'),
});

await client.transaction(async (transaction) => {
  const JobId = BigInt(Date.now());
  const { outcome } = await transaction.call(addJob, {
    JobId,
    UserToken: Buffer.of(1),
    Settings: '<settings/>',
    Name: 'typed',
  });
  console.log(`The job is ${outcome}.`);
});
const jobs = client.stream(
  getJobs,
  { ActiveOnly: false, SubmittedOnly: false },
  { signal: AbortSignal.timeout(10_000) },
);
for await (const { row } of jobs) console.log(row.JobId, row.Name, row.CreateTime);
