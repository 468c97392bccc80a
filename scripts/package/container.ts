// `npm run package:container`: an image, built with podman, docker or buildah, whichever works here, and tried. Where no
// registry can be reached, `-- --base scratch` takes the libraries of this machine for the base.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../source-files.ts';
import { wrapper } from './debian-files.ts';
import { makeTree } from './tree.ts';
import { password, tryServer } from './try-server.ts';

const { values: options } = parseArgs({ options: { base: { type: 'string' } } });
const context = join(root, 'build/container');
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const image = `granary:${version}`;

/** What builds images, and a look whether it can here. */
const builders = [
  { program: 'podman', probe: ['info'], build: ['build'] },
  { program: 'docker', probe: ['info'], build: ['build'] },
  { program: 'buildah', probe: ['info'], build: ['build', '--isolation', 'chroot'] },
];

function lay(): void {
  rmSync(context, { recursive: true, force: true });
  const rootfs = join(context, 'rootfs');
  makeTree(join(rootfs, 'usr/lib/granary'));
  cpSync(process.execPath, join(rootfs, 'usr/lib/granary/node'), { dereference: true });
  mkdirSync(join(rootfs, 'usr/bin'));
  writeFileSync(join(rootfs, 'usr/bin/granary'), wrapper, { mode: 0o755 });
  mkdirSync(join(context, 'data'));
  cpSync(join(root, 'examples/packaging/Containerfile'), join(context, 'Containerfile'));
  // Small images of Debian have all that Node needs but this one.
  const isNeeded = (library: string) => options.base === 'scratch' || library.includes('/libatomic.');
  for (const library of librariesOf(process.execPath).filter(isNeeded)) {
    const place = join(rootfs, options.base === 'scratch' ? library : library.replace(/^\/lib\//, '/usr/lib/'));
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(realpathSync(library), place);
  }
  if (options.base === 'scratch') mkdirSync(join(rootfs, 'tmp'), { mode: 0o1777 });
}

function librariesOf(program: string): string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+\.so\S*)/g)].map(([path]) => path);
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

const [node, script] = ['/usr/lib/granary/node', '/usr/lib/granary/bin/granary.js'];

/** Podman and docker run it as others will; buildah, which only builds, in a container of its own kind. */
async function tryImage(program: string): Promise<void> {
  const environment = ['--env', `GRANARY_SA_PASSWORD=${password}`, '--env', 'GRANARY_HOST=127.0.0.1'];
  const isBuildah = program === 'buildah';
  const container = isBuildah
    ? run(program, 'from', `localhost/${image}`)
    : run(
        program,
        'run',
        '--detach',
        '--network',
        'host',
        '--entrypoint',
        node,
        image,
        '-e',
        'setInterval(() => {}, 1e9)',
      );
  const first = isBuildah
    ? ['run', '--isolation', 'chroot', ...environment, container, '--', node, script]
    : ['exec', ...environment, container, node, script];
  try {
    await tryServer(program, first, process.env, '/var/lib/granary/try', false);
  } finally {
    run(program, 'rm', ...(isBuildah ? [] : ['--force']), container);
  }
}

const builder = builders.find(({ program, probe }) => spawnSync(program, probe, { stdio: 'ignore' }).status === 0);
if (builder === undefined) {
  console.log('skipped: neither podman nor docker nor buildah works here (Debian: apt-get install podman)');
} else {
  lay();
  const base = options.base === undefined ? [] : ['--build-arg', `BASE=${options.base}`];
  run(builder.program, ...builder.build, ...base, '--tag', image, '--file', join(context, 'Containerfile'), context);
  console.log(`${image} built with ${builder.program}`);
  await tryImage(builder.program).catch((error: Error) => {
    // Where containers may be built but not run, the image is there all the same.
    console.error(`It was not tried: ${error.message.trim()}`);
    process.exitCode = 1;
  });
}
