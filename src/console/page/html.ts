import htm from 'htm';
import { type ComponentChildren, h } from 'preact';

/** What a page is made of. */
export type View = ComponentChildren;

/** A template that becomes elements; values in it become text, never markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => View = htm.bind(h);
