import { procedure } from '../../../../procedure/declare.ts';
import { optional, required } from '../../../../procedure/param.ts';
import { bit, int } from '../../../../tds/types/index.ts';
import { done } from '../../outcomes.ts';
import { componentState } from '../component-state.ts';
import { setCrawlComponentState, setQueryComponentOffline } from '../components.ts';

export const setComponentState = procedure({
  name: 'SetComponentState',
  schema: 'granary',
  section: 'Granary',
  summary: 'Sets the state of a crawl component, or whether a query component is offline.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: {
    Number: required(int, 'The number of the component.'),
    State: optional(int, null, 'The state of a crawl component (2.2.1.12); NULL for a query component.'),
    Offline: optional(bit, null, 'Whether a query component is offline.'),
  },
  outcomes: done,
  async handle({ db }, { Number: number, State, Offline }) {
    if (Offline === null) await setCrawlComponentState(db, number, State ?? componentState.inactive);
    else await setQueryComponentOffline(db, number, Offline);
    return { outcome: 'done' };
  },
});
