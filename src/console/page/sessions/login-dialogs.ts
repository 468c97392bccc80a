import { useState } from 'preact/hooks';
import { inSentence } from '../../api/in-sentence.ts';
import {
  createLogin,
  dropLogin,
  grantRole,
  type LoginRow,
  listSessions,
  revokeRole,
  setPassword,
} from '../../api/sessions.ts';
import { type ApiFault, call, useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import { Dialog } from '../parts/dialog.ts';
import { counted } from '../parts/words.ts';
import { hrefOf } from '../place.ts';

/** An action on a login. */
export interface Asked {
  readonly what: 'create' | 'password' | 'role' | 'drop';
  readonly login: string;
  /** The roles that it has. */
  readonly roles: LoginRow['roles'];
}

interface Props {
  readonly asked: Asked;
  readonly isAdmin: boolean;
  readonly databases: readonly string[];
  readonly onClose: () => void;
  /** Told what was done, in words. */
  readonly onDone: (text: string) => void;
}

/** The name that means all databases. */
const everywhere = '*';

/** The error of DROP LOGIN while the login is in use. */
const stillUsed = 15434;

const sessionsOf = (login: string): string => hrefOf(`/sessions?find=${encodeURIComponent(login)}`);

const text = (form: FormData, name: string): string => String(form.get(name) ?? '');

const NewPassword = (): View => html`<label class="field">New password
  <input name="password" type="password" autocomplete="new-password" required maxlength="128" /></label>`;

const MustChange = (): View =>
  html`<label class="check"><input type="checkbox" name="mustChange" /> Must be changed at next login</label>`;

/** The dialog of an action. */
export function LoginDialog(props: Props): View {
  const { asked, isAdmin, onClose, onDone } = props;
  const { what, login } = asked;
  const name = inSentence(login);
  const done = async (work: Promise<unknown>, told: string) => {
    await work;
    onDone(told);
  };
  const mustChange = (form: FormData) => form.get('mustChange') === 'on';
  if (what === 'create') {
    const create = (form: FormData) =>
      done(
        call(createLogin, { name: text(form, 'name'), password: text(form, 'password'), mustChange: mustChange(form) }),
        `Login ${inSentence(text(form, 'name'))} is created. It has no role yet.`,
      );
    return html`<${Dialog} title="New login" action="Create login" onSubmit=${create} onClose=${onClose}>
      <label class="field">Name <input name="name" required maxlength="128" autocomplete="off" /></label>
      <${NewPassword} /><${MustChange} />
      <p class="muted small">A new login has no role: grant one under Roles.</p>
    <//>`;
  }
  if (what === 'password') {
    const change = (form: FormData) =>
      done(
        call(setPassword, {
          login,
          password: text(form, 'password'),
          mustChange: mustChange(form),
          ...(isAdmin ? {} : { oldPassword: text(form, 'oldPassword') }),
        }),
        `The password of ${name} is set.`,
      );
    return html`<${Dialog} title=${`New password for ${name}`} action="Set password" onSubmit=${change} onClose=${onClose}>
      ${
        !isAdmin &&
        html`<label class="field">Old password
          <input name="oldPassword" type="password" autocomplete="current-password" required maxlength="128" /></label>`
      }
      <${NewPassword} />${isAdmin && html`<${MustChange} />`}
    <//>`;
  }
  if (what === 'role') return html`<${RoleDialog} ...${props} />`;
  const drop = (form: FormData) =>
    done(
      call(dropLogin, { login, endSessions: form.get('endSessions') === 'on' ? true : undefined }),
      `Login ${name} is dropped.`,
    );
  return html`<${Dialog} title=${`Drop ${name}?`} action="Drop login" isDangerous=${true} onClose=${onClose} onSubmit=${drop}
    adviceFor=${({ number }: ApiFault) => number === stillUsed && html`<${StillUsed} login=${login} />`}>
    <p>The login and its roles are removed for good. It cannot be dropped while it has sessions.</p>
    <${SessionsOf} login=${login} />
    <label class="check"><input type="checkbox" name="endSessions" /> End its sessions first, including open consoles</label>
  <//>`;
}

/** The current permissions of a login, database by database. */
function RoleDialog({ asked: { login, roles }, databases, onClose, onDone }: Props): View {
  const [database, setDatabase] = useState(roles[0]?.database ?? everywhere);
  const [chosen, setChosen] = useState<string | undefined>();
  const held = roles.find((each) => each.database === database)?.role;
  const role = chosen ?? held ?? 'reader';
  const there = database === everywhere ? 'all databases' : database;
  const change = async () => {
    if (role === 'reader' || role === 'writer' || role === 'admin') await call(grantRole, { login, database, role });
    else await call(revokeRole, { login, database });
    const name = inSentence(login);
    onDone(
      role === 'none' ? `The role of ${name} on ${there} is removed.` : `${name} has the role ${role} on ${there}.`,
    );
  };
  const choose = (set: (value: string) => void) => (event: { currentTarget: HTMLSelectElement }) =>
    set(event.currentTarget.value);
  return html`<${Dialog} title=${`Roles of ${inSentence(login)}`} action="Set role" onSubmit=${change} onClose=${onClose}>
    <label class="field">Database
      <select value=${database} onChange=${choose((name) => {
        setDatabase(name);
        setChosen(undefined);
      })}><option value=${everywhere}>all databases</option>
        ${databases.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select></label>
    <label class="field">Role
      <select value=${role} onChange=${choose(setChosen)}>
        <option value="reader">reader: reads</option><option value="writer">writer: reads and calls every procedure</option>
        <option value="admin">admin: everything</option><option value="none">none</option>
      </select></label>
    <p class="muted small" role="status">Role on ${there} now: ${held ?? 'none'}.</p>
  <//>`;
}

/** What to do with a login in use: an open console counts, and reconnects as long as it is open. */
const StillUsed = ({ login }: { readonly login: string }): View =>
  html`<p>See <a href=${sessionsOf(login)}>its sessions</a>, or choose below to end them: a console that is open would
    begin new ones.</p>`;

/** How many are logged in so now, and the way to them. */
function SessionsOf({ login }: { readonly login: string }): View {
  const { data } = useApi(listSessions, {});
  if (data === undefined) return null;
  const own = data.sessions.filter((session) => session.login.toLowerCase() === login.toLowerCase()).length;
  if (own === 0) return html`<p class="muted small">It has no open sessions.</p>`;
  return html`<p>It has <a href=${sessionsOf(login)}>${counted(own, 'open session')}</a>.</p>`;
}
