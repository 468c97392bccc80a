import type { AnyProcedure } from '../../../procedure/declare.ts';
import { dropClass } from './drop-class.ts';
import { dropObject } from './drop-object.ts';
import { getDependentObjectsByBaseClass } from './get-dependent-objects-by-base-class.ts';
import { getNewObjects } from './get-new-objects.ts';
import { getObject } from './get-object.ts';
import { putClass } from './put-class.ts';
import { putDependency } from './put-dependency.ts';
import { putObject } from './put-object.ts';

/** Classes, configuration objects and their dependencies. */
export const objectProcedures: readonly AnyProcedure[] = [
  dropClass,
  dropObject,
  getDependentObjectsByBaseClass,
  getNewObjects,
  getObject,
  putClass,
  putDependency,
  putObject,
];
