import { readFileSync } from 'node:fs';
import { type Import, importsOfSource } from './imports.ts';
import { reExportFaults } from './re-exports.ts';
import { knowsEverything, rooms } from './rooms.ts';
import { projectFiles, root } from './source-files.ts';

const longFile = 400;

/** What is wrong with the imports of src/, a line each. */
export function importFaults(imports: readonly Import[]): string[] {
  const wrongWay = imports
    .filter((edge) => !isAllowed(edge))
    .map(({ from, to, isType }) => `src/${from} may not import ${isType ? 'a type' : 'a value'} from src/${to}`);
  return [...wrongWay, ...cycles(imports).map((cycle) => `import cycle: ${cycle.join(' → ')}`)];
}

function isAllowed({ from, to, isType }: Import): boolean {
  if (knowsEverything.test(from)) return true;
  const [room = ''] = from.split('/');
  if (to.startsWith(`${room}/`)) return true;
  const { values, types = [] } = rooms[room] ?? { values: [] };
  const reached = isType ? [...values, ...types] : values;
  return reached.some((other) => to === other || to.startsWith(`${other}/`));
}

/** Cycles among value imports, each told once: they make the order of loading matter. */
function cycles(imports: readonly Import[]): string[][] {
  const edges = Map.groupBy(
    imports.filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const { to } of edges.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

/** Files that have grown beyond what a reader keeps in mind, longest first. */
function longFiles(): string[] {
  return projectFiles('src/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts')
    .map((path) => ({ path, lines: readFileSync(`${root}/${path}`, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > longFile)
    .sort((a, b) => b.lines - a.lines)
    .map(({ path, lines }) => `${path} has ${lines} lines (more than ${longFile}): a room is missing`);
}

if (import.meta.main) {
  const imports = importsOfSource();
  const faults = [...importFaults(imports), ...reExportFaults()];
  for (const line of [...faults, ...longFiles()]) console.log(line);
  console.log(`${imports.length} imports, ${faults.length} against the table of rooms`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
