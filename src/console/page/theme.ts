import { useState } from 'preact/hooks';
import { html, type View } from './html.ts';

const themes = { auto: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;

const isTheme = (word: string): word is Theme => Object.hasOwn(themes, word);

/** Dark, light, or as the system has it; a cookie keeps it, so that the first sight is right already. */
export function ThemeSwitch(): View {
  const given = document.documentElement.dataset['theme'] ?? 'auto';
  const [theme, setTheme] = useState<Theme>(isTheme(given) ? given : 'auto');
  const choose = (word: string) => {
    if (!isTheme(word)) return;
    if (word === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = word;
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one is not in every browser.
    document.cookie = `granary_theme=${word}; Path=/console; SameSite=Strict; Max-Age=${word === 'auto' ? 0 : 31536000}`;
    dispatchEvent(new Event('themechange'));
    setTheme(word);
  };
  return html`<label class="theme" title="Colour theme">
    <span class="sr">Colour theme</span>
    <select value=${theme} onChange=${(event: { currentTarget: HTMLSelectElement }) => choose(event.currentTarget.value)}>
      ${Object.entries(themes).map(([word, title]) => html`<option key=${word} value=${word}>${title}</option>`)}
    </select>
  </label>`;
}
