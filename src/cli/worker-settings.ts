import { availableParallelism } from 'node:os';
import { optional, setting } from './setting.ts';
import * as type from './setting-types.ts';

/** The settings of the workers that convert and translate. */
export const workerSettings = {
  workers: setting({
    type: type.someOf('convert', 'translate'),
    default: 'auto',
    shownDefault: 'auto: those whose programs are installed, for jobs of `granary job submit` only',
    used: 'serve',
    help:
      'The workers inside the server: convert needs LibreOffice, translate Apertium or translatorUrl. Those that are named ' +
      'take items of every job; off runs none.',
  }),
  workConcurrency: setting({
    type: type.whole(1, 256),
    default: String(availableParallelism()),
    shownDefault: 'the number of processors',
    used: 'serve',
    help: 'Documents that a worker converts or translates at once.',
  }),
  workRoots: setting({
    type: type.folders,
    default: '.',
    shownDefault: 'the folder that the program is started in',
    used: 'serve',
    help:
      'The folders that workers may read documents from and write them to, of this machine, of web servers ' +
      '(https://user:password@host/folder/) and of configuration databases (config://SharePoint_Config/). Names that begin ' +
      'with a dot, and the data folder, stay out of reach.',
  }),
  workTimeout: setting({
    type: type.duration(1000, 86_400_000),
    default: '2m',
    used: 'serve',
    help: 'How long one document may take before it is given up.',
  }),
  translatorUrl: optional({
    type: type.webAddress,
    shownDefault: 'Apertium on this machine',
    used: 'serve',
    help: 'A service with the interface of LibreTranslate that translates, in place of Apertium.',
  }),
  translatorKey: optional({
    type: type.text('KEY'),
    shownDefault: 'none',
    used: 'serve',
    secret: true,
    help: 'The key of that service.',
  }),
} as const;
