import type { NodeDisplayData, PartialButFor } from 'sigma/types';

import type { Colours } from './colours.ts';

/** What a node of the picture carries beside what sigma needs. */
export interface Marked {
  /** The letter of its kind, or the sign of what became of it. */
  readonly letter?: string;
}

/** What of the settings of sigma matters here. */
interface Sizes {
  readonly labelSize: number;
}

type Data = PartialButFor<NodeDisplayData, 'x' | 'y' | 'size' | 'label' | 'color'> & Marked;

const LONGEST = 36;
const GAP = 4;
const PADDING = 6;

/** Draws the letter of a node into it and its words beside it. */
export function labelDrawer(colours: () => Colours) {
  return (context: CanvasRenderingContext2D, data: Data, settings: Sizes): void => {
    const { x, y, size, letter = '', label } = data;
    const { text, surface, onNode, font } = colours();
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    context.fillStyle = onNode;
    context.font = `700 ${Math.max(8, size * 1.2)}px ${font}`;
    context.fillText(letter, x, y + 0.5);
    if (label === null || label === '') return;
    context.textAlign = 'start';
    context.font = `${settings.labelSize}px ${font}`;
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = surface;
    context.fillStyle = text;
    const words = cut(label, LONGEST);
    context.strokeText(words, x + size + GAP, y);
    context.fillText(words, x + size + GAP, y);
  };
}

/** Draws what a node says in full on a ground of its own, while the pointer is on it. */
export function hoverDrawer(colours: () => Colours) {
  return (context: CanvasRenderingContext2D, data: Data, settings: Sizes): void => {
    const { x, y, size, label, color, letter = '' } = data;
    const { text, surface, line, onNode, font } = colours();
    context.font = `${settings.labelSize}px ${font}`;
    const words = label === null ? '' : cut(label, LONGEST * 3);
    const width = context.measureText(words).width;
    context.fillStyle = surface;
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(
      x - size - PADDING,
      y - size - PADDING,
      width + 2 * size + GAP + 3 * PADDING,
      2 * (size + PADDING),
      PADDING,
    );
    context.fill();
    context.stroke();
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
    context.textBaseline = 'middle';
    context.textAlign = 'start';
    context.fillStyle = text;
    context.fillText(words, x + size + GAP, y);
    context.textAlign = 'center';
    context.fillStyle = onNode;
    context.font = `700 ${Math.max(8, size * 1.2)}px ${font}`;
    context.fillText(letter, x, y + 0.5);
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
