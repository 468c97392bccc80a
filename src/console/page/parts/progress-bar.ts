import { html, type View } from '../html.ts';

/** How much of something is done, as a bar and in figures. */
export function ProgressBar({
  done,
  total,
  label,
}: {
  readonly done: number;
  readonly total: number;
  readonly label: string;
}): View {
  if (total === 0) return html`<span class="muted">–</span>`;
  const percent = Math.floor((done * 100) / total);
  return html`<span class="bar"><progress value=${done} max=${total} aria-label=${label}></progress>
    <span>${percent} %</span></span>`;
}
