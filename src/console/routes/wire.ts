import { type Answering, answer } from '../answer.ts';
import { wireEvents } from '../api/wire.ts';
import { refused } from '../refusal.ts';

/** Calls as they come. */
export const wireRoutes: readonly Answering[] = [
  answer(wireEvents, ({ query, login, role, server, signal, lastEventId, log }) => {
    const { values = false, ...asked } = query;
    if (values && role !== 'admin') throw refused(403, 'Only an admin may see what is hidden.');
    if (values) log.warn('the values of calls are shown', { asked: JSON.stringify(asked) });
    const filter = { ...asked, own: role === 'admin' ? undefined : login, reveals: values };
    return server.wire.watch(filter, lastEventId, signal);
  }),
];
