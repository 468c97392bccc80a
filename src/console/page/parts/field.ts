import { html, type View } from '../html.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly size?: number;
}

/** A line of text with its name; it tells when one is done with it. */
export const Field = ({ label, value, onChange, placeholder, size = 14 }: FieldProps): View => html`
  <label class="field">
    ${label}
    <input value=${value ?? ''} placeholder=${placeholder} size=${size}
      onChange=${(event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value.trim())} />
  </label>`;

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** What can be chosen: the value, and the word for it. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

/** A choice with its name. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps): View => html`
  <label class="field">
    ${label}
    <select value=${value} onChange=${(event: { currentTarget: HTMLSelectElement }) => onChange(event.currentTarget.value)}>
      ${options.map(([word, title]) => html`<option key=${word} value=${word}>${title}</option>`)}
    </select>
  </label>`;
