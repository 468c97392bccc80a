import { html, type View } from '../html.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats moments in the reader's time zone, with its name. */
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The date and the time of a moment in UTC, and what shows on hover: both with the local time. */
export function written(moment: Date): { readonly date: string; readonly time: string; readonly title: string } {
  const date = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  const time = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}:${two(moment.getUTCSeconds())}`;
  return { date, time, title: `${date} ${time} UTC, local time ${local.format(moment)}` };
}

/** A moment in UTC; the local time shows on hover. Without `day` only the time of day is shown. */
export function Time({ at, day = true }: { readonly at: string | null | undefined; readonly day?: boolean }): View {
  if (at === null || at === undefined || at === '') return html`<span class="muted">–</span>`;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return html`<span>${at}</span>`;
  const { date, time, title } = written(moment);
  return html`<time datetime=${at} title=${title}>${day ? `${date} ${time}` : time}</time>`;
}

const marked = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|`[^`]+`)/;

/** A sentence of the server, with its moments and commands as pages write them. */
export const Told = ({ text }: { readonly text: string }): View =>
  // The matches of a pattern in brackets are at every second place.
  text.split(marked).map((part, at) => {
    if (at % 2 === 0) return part;
    return part.startsWith('`')
      ? html`<code key=${at}>${part.slice(1, -1)}</code>`
      : html`<${Time} key=${at} at=${part} />`;
  });
