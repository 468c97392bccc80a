import { html, type View } from '../html.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment in UTC; the local time shows on hover. Without `day` only the time of day is shown. */
export function Time({ at, day = true }: { readonly at: string | null | undefined; readonly day?: boolean }): View {
  if (at === null || at === undefined || at === '') return html`<span class="muted">–</span>`;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return html`<span>${at}</span>`;
  const date = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  const time = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}:${two(moment.getUTCSeconds())}`;
  const local = `${moment.toLocaleString()} here, ${at} UTC`;
  return html`<time datetime=${at} title=${local}>${day ? `${date} ${time}` : time}</time>`;
}
