import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Notice } from './notice.ts';

interface DialogProps {
  readonly title: string;
  /** The label of the confirming button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Does it; what fails is shown, and the dialog stays. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  /** What to do about a fault, shown below the server's message. */
  readonly adviceFor?: (fault: ApiFault) => View;
  readonly children?: View;
}

/** A question in front of the page; Escape and “Not now” change nothing. */
export function Dialog(props: DialogProps): View {
  const { title, action, isDangerous = false, onSubmit, onClose, adviceFor, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const [fault, setFault] = useState<ApiFault | undefined>();
  const [busy, setBusy] = useState(false);
  const isGone = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // The browser reports its end later, when the next question may already be open: that one stays. Removing a dialog
    // does not return the focus to the button that opened it, as closing it does.
    return () => {
      isGone.current = true;
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onSubmit(new FormData(event.currentTarget));
      onClose();
    } catch (failure) {
      if (!(failure instanceof ApiFault)) throw failure;
      setFault(failure);
      setBusy(false);
    }
  };
  return html`<dialog ref=${element} aria-labelledby="dialog-title" onClose=${() => isGone.current || onClose()}>
    <form onSubmit=${submit}>
      <h2 id="dialog-title">${title}</h2>
      ${fault && html`<${Notice} text=${fault.message} />${adviceFor?.(fault)}`}
      ${children}
      <div class="actions">
        <button type="button" onClick=${onClose}>Not now</button>
        <button class=${isDangerous ? 'danger' : 'primary'} disabled=${busy}>${action}</button>
      </div>
    </form>
  </dialog>`;
}
