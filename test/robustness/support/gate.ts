import { Cancelled } from '../../../src/procedure/run/fault.ts';

/** Where a call waits for its test, by name. */
interface Gate {
  readonly arrived: PromiseWithResolvers<void>;
  readonly opened: PromiseWithResolvers<void>;
  readonly left: PromiseWithResolvers<'passed' | 'cancelled'>;
}

const gates = new Map<string, Gate>();

function gate(name: string): Gate {
  let found = gates.get(name);
  if (!found) {
    found = { arrived: Promise.withResolvers(), opened: Promise.withResolvers(), left: Promise.withResolvers() };
    gates.set(name, found);
  }
  return found;
}

/** Inside of a call: waits until the test opens the gate; throws when the call is cancelled first. */
export async function pass(name: string, signal: AbortSignal): Promise<void> {
  const { arrived, opened, left } = gate(name);
  arrived.resolve();
  const cancelled = Promise.withResolvers<never>();
  const cancel = () => cancelled.reject(new Cancelled());
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    await Promise.race([opened.promise, cancelled.promise]);
    left.resolve('passed');
  } catch (error) {
    left.resolve('cancelled');
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Resolves when a call stands at the gate. */
export const arrival = (name: string): Promise<void> => gate(name).arrived.promise;

/** Lets the call go on. */
export const open = (name: string): void => gate(name).opened.resolve();

/** How the call left the gate. */
export const departure = (name: string): Promise<'passed' | 'cancelled'> => gate(name).left.promise;
