import { html, type View } from '../html.ts';

/** A fault or a notice, in words. */
export const Notice = ({
  text,
  kind = 'bad',
}: {
  readonly text: string;
  readonly kind?: 'bad' | 'warn' | 'ok';
}): View => html`<p class=${`notice ${kind}`} role=${kind === 'bad' ? 'alert' : 'status'}>${text}</p>`;
