import { useEffect, useState } from 'preact/hooks';
import { html, type View } from '../html.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly size?: number;
  /** True for a whole number; what is none in an address is neither shown nor asked for. */
  readonly isNumber?: boolean;
}

/** A labelled line of text; it reports when editing ends, and keeps its text while the page around it changes. */
export function Field({ label, value = '', onChange, placeholder, size = 14, isNumber = false }: FieldProps): View {
  const [typed, setTyped] = useState<string | undefined>();
  useEffect(() => setTyped(undefined), [value]);
  const done = (text: string) => {
    setTyped(undefined);
    onChange(text.trim());
  };
  return html`<label class="field">
    ${label}
    <input type=${isNumber ? 'number' : 'text'} min=${isNumber ? 0 : undefined} step=${isNumber ? 'any' : undefined} value=${typed ?? value} placeholder=${placeholder} size=${size}
      onInput=${(event: { currentTarget: HTMLInputElement }) => setTyped(event.currentTarget.value)}
      onChange=${(event: { currentTarget: HTMLInputElement }) => done(event.currentTarget.value)} />
  </label>`;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** What can be chosen: the value, and the word for it. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

/** A labelled choice; an unknown value from an address is shown as it is, not as another. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps): View => html`
  <label class="field">
    ${label}
    <select value=${value} onChange=${(event: { currentTarget: HTMLSelectElement }) => onChange(event.currentTarget.value)}>
      ${offered(options, value).map(([word, title]) => html`<option key=${word} value=${word}>${title}</option>`)}
    </select>
  </label>`;

const offered = (options: ChoiceProps['options'], value: string): ChoiceProps['options'] =>
  options.some(([word]) => word === value) ? options : [[value, value], ...options];
