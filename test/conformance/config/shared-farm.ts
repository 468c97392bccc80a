import { ManualClock } from '../../../src/base/clock.ts';
import type { EngineName } from '../../support/engines.ts';
import { farmsOn, type WithFarm } from './with-farm.ts';

export type { WithFarm };

/** For suites that mind the time: each test has a clock that stands still until the test moves it. */
export const sharedFarm = (engine: EngineName): WithFarm => farmsOn(engine, () => new ManualClock());
