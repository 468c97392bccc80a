import { html, type View } from '../html.ts';

/** How something is, in a word. */
export const Badge = ({ kind, text }: { readonly kind: 'ok' | 'warn' | 'bad' | 'idle'; readonly text: string }): View =>
  html`<span class=${`badge ${kind}`}>${text}</span>`;
