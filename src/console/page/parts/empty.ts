import { html, type View } from '../html.ts';

/** A placeholder for missing contents: why, and what to do. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: View }): View =>
  html`<div class="empty"><p class="title">${title}</p>${children && html`<p>${children}</p>`}</div>`;
