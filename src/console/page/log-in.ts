import { useEffect, useRef, useState } from 'preact/hooks';
import { logIn, logInWithWindows, waysToLogIn } from '../api/session.ts';
import { ApiFault, call, useApi } from './fetch.ts';
import { html, type View } from './html.ts';
import type { Session } from './page.ts';
import { Notice } from './parts/notice.ts';

/** The error of a password that is good for one thing, to be changed. */
const mustChange = 18488;

/** Milliseconds after which a browser that brought no proof is asked again. */
const secondTry = 500;

/**
 * Lets the browser authenticate its user. Chromium on Linux loads what it needs for this at the first attempt, and
 * succeeds at the second.
 */
async function withWindows(): Promise<Session> {
  try {
    return await call(logInWithWindows, {});
  } catch (failure) {
    if (!(failure instanceof ApiFault) || failure.status !== 401 || failure.number !== undefined) throw failure;
    await new Promise((resolve) => setTimeout(resolve, secondTry));
    return await call(logInWithWindows, {});
  }
}

/** What appears on request gets the focus. */
const focus = (element: HTMLElement | null): void => element?.focus();

interface LogInProps {
  readonly onEnter: (session: Session) => void;
  /** The login whose session has ended, if its page is still there. */
  readonly before?: string;
}

/** The form where there is nothing else; the address stays, so that the wanted page follows. */
export const LogIn = ({ onEnter }: LogInProps): View => html`<main class="alone"><${Form} onEnter=${onEnter} /></main>`;

/** The form in front of a page whose session has ended: the page keeps what was typed into it. */
export function LogInAgain({ onEnter, before }: LogInProps): View {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const focused = document.activeElement;
    // A browser may close a dialog by a second Escape, whatever the page says.
    const show = () => dialog?.showModal();
    show();
    dialog?.addEventListener('close', show);
    return () => {
      dialog?.removeEventListener('close', show);
      dialog?.close();
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);
  return html`<dialog class="gate" ref=${element} aria-label="Log in again" onCancel=${(event: Event) => event.preventDefault()}>
    <${Form} onEnter=${onEnter} before=${before} />
  </dialog>`;
}

function Form({ onEnter, before }: LogInProps): View {
  const [error, setError] = useState<ApiFault | undefined>();
  const [busy, setBusy] = useState(false);
  const { data: ways } = useApi(waysToLogIn, {});
  const enter = async (asked: Promise<Session>) => {
    setBusy(true);
    try {
      onEnter(await asked);
    } catch (failure) {
      if (!(failure instanceof ApiFault)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    const newPassword = text('newPassword');
    const changed = newPassword === '' ? {} : { newPassword };
    return enter(call(logIn, { login: text('login'), password: text('password'), ...changed }));
  };
  return html`
    <form class="card login" onSubmit=${submit}>
      <h1>Granary</h1>
      <p class="muted">Use the same login and password as over TDS.</p>
      ${before !== undefined && error === undefined && html`<${Notice} kind="warn" text="Your session has ended. Log in to go on where you were." />`}
      ${error && html`<${Notice} text=${error.message} />`}
      <label>Login <input name="login" autocomplete="username" required maxlength="128" defaultValue=${before} autofocus=${before === undefined} /></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="128" autofocus=${before !== undefined} /></label>
      ${
        error?.number === mustChange &&
        html`<label>New password
          <input name="newPassword" type="password" autocomplete="new-password" required maxlength="128" ref=${focus} /></label>`
      }
      <button class="primary" disabled=${busy}>${busy ? 'Logging in…' : 'Log in'}</button>
      ${
        ways?.windows &&
        html`<button type="button" disabled=${busy} onClick=${() => enter(withWindows())}>Log in with Windows</button>`
      }
      <details class="muted small">
        <summary>Windows users</summary>
        <p>${
          ways?.windows
            ? 'Your browser logs you in if it trusts this address. '
            : 'This server is not set up for Kerberos. '
        }Windows users whose password this server keeps log in above as DOMAIN\\name.</p>
      </details>
    </form>`;
}
