import type { Assets } from './assets.ts';

/** The one document of the console; the module that it names shows the page of the address. */
export function shell({ base, main, needed, ofPage }: Assets, path: string, theme: string | undefined): string {
  const marked = theme === 'dark' || theme === 'light' ? ` data-theme="${theme}"` : '';
  // What the page of the address needs is fetched together with the rest, not found out step by step.
  const [, page = ''] = /^\/console\/(\w*)/.exec(path) ?? [];
  const modules = [...needed, ...(ofPage.get(page || 'overview') ?? [])];
  return `<!doctype html>
<html lang="en"${marked}>
<head>
<meta charset="utf-8">
<title>Granary</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${base}page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base}page/console.css">
${modules.map((module) => `<link rel="modulepreload" href="${base}${module}">`).join('\n')}
<script type="module" src="${base}${main}"></script>
</head>
<body>
<noscript>The console needs JavaScript. The same data are at /api/v1/ (see /api/v1/openapi.json).</noscript>
</body>
</html>
`;
}
