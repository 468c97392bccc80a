import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Notice } from './notice.ts';

interface ConfirmProps {
  /** What the button says, and the dialog's own. */
  readonly button: string;
  readonly title: string;
  readonly children?: View;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Does it; what the server refuses is shown in the dialog. */
  action(): Promise<unknown>;
}

/** A button that asks before it does something. */
export function Confirm({ button, title, children, danger = false, disabled = false, action }: ConfirmProps): View {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const run = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault('');
    try {
      await action();
      setOpen(false);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      setFault(error.message);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <button class=${danger ? 'danger' : undefined} disabled=${disabled} onClick=${() => setOpen(true)}>${button}</button>
    <dialog ref=${dialog} aria-label=${title} onClose=${() => setOpen(false)}>
      ${
        open &&
        html`<form onSubmit=${run}>
          <h2>${title}</h2>
          ${children}
          ${fault !== '' && html`<${Notice} text=${fault} />`}
          <div class="actions">
            <button type="button" onClick=${() => setOpen(false)}>Leave it</button>
            <button class=${danger ? 'danger' : 'primary'} disabled=${busy}>${button}</button>
          </div>
        </form>`
      }
    </dialog>`;
}
