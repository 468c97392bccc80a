import { useState } from 'preact/hooks';
import { type LoginRow, listLogins } from '../../api/sessions.ts';
import { useApi } from '../fetch.ts';
import { html, type View } from '../html.ts';
import type { PageProps } from '../page.ts';
import { Badge } from '../parts/badge.ts';
import { Notice } from '../parts/notice.ts';
import { Pending } from '../parts/pending.ts';
import { Table } from '../parts/table.ts';
import { Time } from '../parts/time.ts';
import { type Asked, LoginDialog } from './login-dialogs.ts';

const kinds = { sql: 'password', user: 'Windows user', group: 'Windows group' } as const;

const rolesOf = ({ roles }: LoginRow): View =>
  roles.length === 0
    ? html`<span class="muted">none</span>`
    : roles.map(
        ({ database, role }) =>
          html`<span key=${database} class="role"><${Badge} kind="idle" text=${`${role} on ${database === '*' ? 'all' : database}`} /> </span>`,
      );

/** Logins, their roles, and new passwords. */
export function LoginList({ session }: Pick<PageProps, 'session'>): View {
  const { data, error, loading, reload } = useApi(listLogins, {});
  const [asked, setAsked] = useState<Asked | undefined>();
  const [done, setDone] = useState('');
  const ask = (question: Asked) => {
    setDone('');
    setAsked(question);
  };
  const acted = (text: string) => {
    setDone(text);
    reload();
  };
  const isAdmin = session.role === 'admin';
  const act = (what: Asked['what'], title: string, row: LoginRow) =>
    html`<button onClick=${() => ask({ what, login: row.name, roles: row.roles })} aria-label=${what === 'drop' ? `${title} ${row.name}` : `${title} of ${row.name}`}>${title}</button>`;
  const columns = [
    { title: 'Login', show: ({ name }: LoginRow) => html`<span class="brief name">${name}</span>` },
    { title: 'Kind', show: ({ kind }: LoginRow) => kinds[kind] },
    { title: 'Roles', show: rolesOf },
    { title: 'Created', show: ({ created }: LoginRow) => html`<${Time} at=${created} />` },
    {
      title: 'Actions',
      show: (row: LoginRow) => html`<div class="actions">
        ${row.kind === 'sql' && act('password', 'Password', row)}
        ${isAdmin && act('role', 'Roles', row)}
        ${isAdmin && row.name !== 'sa' && row.name !== session.login && act('drop', 'Drop', row)}
      </div>`,
    },
  ];
  return html`
    <${Pending} error=${error} loading=${loading} />
    ${
      isAdmin &&
      html`<div class="actions"><button class="primary" onClick=${() => ask({ what: 'create', login: '', roles: [] })}>New login</button></div>`
    }
    ${done !== '' && html`<${Notice} kind="ok" text=${done} />`}
    ${data && html`<${Table} caption="Logins" columns=${columns} rows=${data.logins} keyOf=${({ name }: LoginRow) => name} />`}
    ${
      asked &&
      html`<${LoginDialog} key=${`${asked.what} ${asked.login}`} asked=${asked} isAdmin=${isAdmin}
        databases=${data?.databases ?? []} onClose=${() => setAsked(undefined)} onDone=${acted} />`
    }`;
}
