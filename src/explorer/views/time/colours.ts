import type { Mark } from './graph-model.ts';
import { KINDS } from './words.ts';
import type { NodeType } from './queries.ts';

/** The colours of the page as a drawing needs them that no style sheet reaches. */
export interface Colours {
  readonly kinds: Readonly<Record<NodeType, string>>;
  readonly marks: Readonly<Record<Mark, string>>;
  readonly text: string;
  readonly onNode: string;
  readonly line: string;
  readonly faint: string;
  readonly surface: string;
  readonly accent: string;
  readonly font: string;
}

/** Reads the colours that the style sheets give an element. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, colour(`kind-${kind}`)]));
  const colours: Colours = {
    kinds: kinds as Record<NodeType, string>,
    marks: { appeared: colour('good'), gone: colour('bad'), changed: colour('warn') },
    text: colour('text'),
    onNode: colour('surface'),
    line: colour('line-strong'),
    faint: colour('line'),
    surface: colour('surface-raised'),
    accent: colour('accent'),
    font: getComputedStyle(element).fontFamily,
  };
  probe.remove();
  return colours;
}
