import { useState } from 'preact/hooks';
import { html, type View } from '../html.ts';
import { Dialog } from './dialog.ts';

interface ConfirmProps {
  /** The label of the button, and of the one in the dialog that confirms. */
  readonly button: string;
  readonly title: string;
  readonly children?: View;
  readonly danger?: boolean;
  /** Does it; what the server refuses is shown in the dialog. */
  action(): Promise<unknown>;
}

/** A button that asks before it does something. */
export function Confirm({ button, title, children, danger = false, action }: ConfirmProps): View {
  const [open, setOpen] = useState(false);
  return html`
    <button class=${danger ? 'danger' : undefined} onClick=${() => setOpen(true)}>${button}</button>
    ${
      open &&
      html`<${Dialog} title=${title} action=${button} isDangerous=${danger} onSubmit=${action} onClose=${() => setOpen(false)}>
        ${children}<//>`
    }`;
}
