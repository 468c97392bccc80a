import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { engineNames } from '../../test/support/engines.ts';
import { type Metric, parseMetrics } from '../../test/support/prometheus.ts';
import { startServer } from '../../test/support/server.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

const dashboard = JSON.parse(readFileSync(new URL('./granary.json', import.meta.url), 'utf8')) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
  annotations: { list: { expr: string }[] };
};

/** Every query of the dashboard, with what Grafana puts in place of its variables. */
const queries = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
].map((query) => query.replaceAll('$__rate_interval', '5m').replaceAll(/"\$\w+"/g, '".*"'));

const words = /\b(?:granary|process|nodejs)_\w+/g;

/** The labels that a figure has; of one without samples yet, those that are documented. */
function labelsOf(exported: ReadonlyMap<string, Metric>, name: string): string[] {
  const metric = exported.get(name) ?? exported.get(name.replace(/_(bucket|sum|count)$/, ''));
  const row = documented.find((line) => line.includes(`\`${name.replace(/_(bucket|sum|count)$/, '')}\``));
  return [
    ...(name.endsWith('_bucket') ? ['le'] : []),
    ...(metric?.samples ?? []).flatMap(({ labels }) => Object.keys(labels)),
    ...(row?.split('|')[2]?.split(',') ?? []).map((label) => label.trim()),
  ];
}

/** The table of figures for operators. */
const documented = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `granary_'));

/** The labels that a query and the legend of its series name. */
function labelsIn(query: string, legend: string): string[] {
  const selected = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  );
  const grouped = [...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(/[\s,]+/));
  const shown = [...legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label = '']) => label);
  return [...selected, ...grouped, ...shown].filter((label) => label !== '');
}

describe('the Grafana dashboard', () => {
  const exported = new Map<string, Metric>();

  before(async () => {
    for (const engine of engineNames) {
      await using server = await startServer({ engine, kinds: [translation, searchAdmin], settings: { httpPort: 0 } });
      const answer = await fetch(`http://${server.granary.httpAddress}/metrics`);
      for (const [name, metric] of parseMetrics(await answer.text())) exported.set(name, metric);
    }
  });

  test('every figure that it asks for is exported by a server', () => {
    const asked = [...queries, ...dashboard.templating.list.map(({ definition = '' }) => definition)];
    const known = (name: string) => {
      const [, stem = '', ending = ''] = /^(.*?)(_bucket|_sum|_count)?$/.exec(name) ?? [];
      return ending === '' ? exported.has(name) : exported.get(stem)?.type === 'histogram';
    };
    const missing = asked.flatMap((query) => query.match(words) ?? []).filter((name) => !known(name));
    assert.deepEqual(missing, []);
  });

  test('labels that it selects by, groups by or names series after are those of the figures', () => {
    const wrong = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat = '' }) => {
        const ofFigures = (expr.match(words) ?? []).flatMap((name) => labelsOf(exported, name));
        const there = new Set([...ofFigures, 'job', 'instance']); // the last two are Prometheus' own
        return labelsIn(expr, legendFormat)
          .filter((label) => !there.has(label))
          .map((label) => `${title}: ${label}`);
      }),
    );
    assert.deepEqual(wrong, []);
  });

  test('every figure of the server’s own is on it', () => {
    const asked = new Set(queries.flatMap((query) => query.match(words) ?? []));
    const shown = (name: string) => ['', '_bucket', '_sum', '_count'].some((ending) => asked.has(`${name}${ending}`));
    const own = [...exported.keys()].filter((name) => name.startsWith('granary_') && name !== 'granary_build_info');
    assert.deepEqual(
      own.filter((name) => !shown(name)),
      [],
    );
  });

  test('panels have numbers of their own and do not overlap', () => {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    const cells = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!cells.has(`${x} ${y}`), `${title} lies on another`);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });

  test('its queries are PromQL, as Prometheus’ own tool reads it', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'granary-dashboard-'));
    try {
      const file = join(folder, 'rules.yml');
      const rules = queries.map((expr, i) => ({ record: `query:${i}`, expr }));
      // JSON is YAML.
      await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
      if (error === undefined) assert.equal(status, 0, `${stdout}${stderr}`);
      else t.skip('promtool (Debian: prometheus) is not installed');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
