import { readFileSync } from 'node:fs';
import { projectFiles, root } from './source-files.ts';

/** docs/readings.md: the index of the pages in docs/readings/, with the headings of each. */
export function readingsPage(): string {
  const pages = projectFiles('docs/readings/*.md').map((path) => {
    const lines = readFileSync(`${root}/${path}`, 'utf8').split('\n');
    const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? path;
    const headings = lines.filter((line) => line.startsWith('## ')).map((line) => `  - ${line.slice(3)}`);
    return [`- [${title}](${path.replace('docs/', '')})`, ...headings].join('\n');
  });
  return [
    '# Readings',
    '',
    'Where a specification is silent, contradicts itself or is plainly wrong, Granary takes one reading and writes it down.',
    'One page a protocol; each reading names its section, what the text says, and what Granary does.',
    '',
    ...pages,
    '',
    'This index is made by `npm run docs`.',
    '',
  ].join('\n');
}
