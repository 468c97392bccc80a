import { useState } from 'preact/hooks';
import { logIn } from '../api/session.ts';
import { ApiFault, call } from './fetch.ts';
import { html, type View } from './html.ts';
import type { Session } from './page.ts';
import { Notice } from './parts/notice.ts';

/** The error of a password that is good for one thing, to be changed. */
const mustChange = 18488;

/** The form in front of everything; the address stays, so that one lands where one wanted to go. */
export function LogIn({ onEnter }: { readonly onEnter: (session: Session) => void }): View {
  const [error, setError] = useState<ApiFault | undefined>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    setBusy(true);
    try {
      const newPassword = text('newPassword');
      onEnter(
        await call(logIn, {
          login: text('login'),
          password: text('password'),
          ...(newPassword === '' ? {} : { newPassword }),
        }),
      );
    } catch (failure) {
      if (!(failure instanceof ApiFault)) throw failure;
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return html`<main class="alone">
    <form class="card login" onSubmit=${submit}>
      <h1>Granary</h1>
      <p class="muted">Log in with a login of this server, as over TDS.</p>
      ${error && html`<${Notice} text=${error.message} />`}
      <label>Login <input name="login" autocomplete="username" required maxlength="128" autofocus /></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="128" /></label>
      ${
        error?.number === mustChange &&
        html`<label>New password
          <input name="newPassword" type="password" autocomplete="new-password" required maxlength="128" /></label>`
      }
      <button class="primary" disabled=${busy}>${busy ? 'Logging in …' : 'Log in'}</button>
      <details class="muted small">
        <summary>Windows users</summary>
        <p>As DOMAIN\name where this server keeps the password. Users whose password only their domain knows come in by TDS;
          for the console an administrator makes them a login with a password.</p>
      </details>
    </form>
  </main>`;
}
