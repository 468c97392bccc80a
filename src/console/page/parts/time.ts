import { html, type View } from '../html.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The moment as it is where the reader is, with the name of that time. */
const localOf = (moment: Date): string => moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A moment in UTC; the local time shows on hover. Without `day` only the time of day is shown. */
export function Time({ at, day = true }: { readonly at: string | null | undefined; readonly day?: boolean }): View {
  if (at === null || at === undefined || at === '') return html`<span class="muted">–</span>`;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return html`<span>${at}</span>`;
  const date = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  const time = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}:${two(moment.getUTCSeconds())}`;
  const title = `${date} ${time} UTC, here ${localOf(moment)}`;
  return html`<time datetime=${at} title=${title}>${day ? `${date} ${time}` : time}</time>`;
}

const moments = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the server, with its moments as pages write them. */
export const Told = ({ text }: { readonly text: string }): View =>
  // What a pattern in brackets finds stands at every second place.
  text.split(moments).map((part, at) => (at % 2 === 0 ? part : html`<${Time} key=${at} at=${part} />`));
