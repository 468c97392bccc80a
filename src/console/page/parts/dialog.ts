import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Notice } from './notice.ts';

interface DialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Does it; what fails is shown, and the dialog stays. */
  readonly onSubmit: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  /** What to do about a fault, below what the server said. */
  readonly adviceFor?: (fault: ApiFault) => View;
  readonly children?: View;
}

/** A question in front of the page; Escape and “Not now” leave everything as it is. */
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
    // The browser tells of its end later, when the next question may be there already: that one stays.
    // One that is taken away does not give the focus back to the button that it came from, as one that is closed does.
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
