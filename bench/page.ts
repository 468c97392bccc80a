import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Bench, Finding, Scenario } from './support/scenario.ts';
import { cellsOf } from './support/table.ts';

const page = new URL('../docs/benchmarks.md', import.meta.url);

/** Fails where the page has no marks for a scenario: before it is measured, since measuring takes minutes. */
export function checkPlace(scenario: Scenario, engine: Bench['engine']): void {
  place(readFileSync(page, 'utf8'), scenario, engine);
}

/**
 * Puts a scenario's figures in their place in docs/benchmarks.md: between its two marks, which stay. Those of PostgreSQL
 * have marks of their own, behind those of SQLite.
 */
export function updatePage(scenario: Scenario, engine: Bench['engine'], findings: readonly Finding[], now: Date): void {
  const text = readFileSync(page, 'utf8');
  const { from, to } = place(text, scenario, engine);
  const head = engine === 'sqlite' || scenario.isOfPostgres === true ? scenario.summary : 'The same on PostgreSQL:';
  writeFileSync(page, `${text.slice(0, from)}\n${figures(head, findings, now)}\n${text.slice(to)}`);
}

function place(text: string, scenario: Scenario, engine: Bench['engine']): { from: number; to: number } {
  const name = engine === 'sqlite' ? scenario.name : `${scenario.name} on postgres`;
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no place for ${name}: ${begin}${end}`);
  return { from: from + begin.length, to };
}

function figures(head: string, findings: readonly Finding[], now: Date): string {
  const rows = findings.map((finding) => cellsOf(finding).join(' | '));
  return [
    head,
    '',
    '| what | Granary | against | value | demand | met |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
    '',
    `Measured ${now.toISOString().slice(0, 10)}: ${machine()}, Node ${process.version}.`,
  ].join('\n');
}

function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${processors.length} processors (${processors[0]?.model.trim() ?? 'unknown'}), ${memory} GB`;
}
