import type { MapLike } from '../../base/late-map.ts';
import { fold } from '../../base/text/collation.ts';
import type { HeldMemory } from './held-memory.ts';
import type { UndoLog } from './undo-log.ts';

/** A procedure or view that a client made. */
interface Module {
  readonly name: string;
  /** The memory of its text and tree. */
  readonly memory: HeldMemory;
}

/** Keeps a module, in place of the one of its name if there is one, unless the transaction is undone. */
export function keepModule<T extends Module>(modules: MapLike<string, T>, made: T, log: UndoLog): void {
  const key = fold(made.name);
  const before = modules.get(key);
  modules.set(key, made);
  const undo = (): void => {
    if (modules.get(key) !== made) before?.memory.free();
    else if (before === undefined) modules.delete(key);
    else modules.set(key, before);
    made.memory.free();
  };
  settle(log, undo, before);
}

/** Removes a module, unless the transaction is undone. */
export function removeModule<T extends Module>(modules: MapLike<string, T>, module: T, log: UndoLog): void {
  const key = fold(module.name);
  modules.delete(key);
  const undo = (): void => {
    // Another session may have made one of that name since.
    if (modules.has(key)) module.memory.free();
    else modules.set(key, module);
  };
  settle(log, undo, module);
}

/** A module is gone for good once the transaction is committed. */
function settle(log: UndoLog, undo: () => void, gone: Module | undefined): void {
  if (log.isActive) log.record(undo, () => gone?.memory.free());
  else gone?.memory.free();
}
